import ChunkTransfer
import Foundation

func streamToStandardOutput(_ url: String) async throws {
  for try await piece in try VerifiedBytes(of: url) {
    try FileHandle.standardOutput.write(contentsOf: piece)
  }
}
