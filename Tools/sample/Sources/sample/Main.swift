import ChunkTransfer
import Foundation

/// What one does with the library, a file each, as its documentation quotes them.
@main
struct Sample {
  static func main() async {
    do {
      try await run(Array(CommandLine.arguments.dropFirst()))
    } catch let error as TransferError {
      complain("\(error.code): \(error)")
      exit(error.isRetryable ? EX_TEMPFAIL : EXIT_FAILURE)
    } catch {
      complain("\(error)")
      exit(EXIT_FAILURE)
    }
  }

  private static func run(_ words: [String]) async throws {
    switch (words.first, words.dropFirst().map { $0 }) {
    case ("download", let words) where words.count == 2:
      try await downloadFile(from: words[0], to: words[1])
    case ("pinned", let words) where words.count == 3:
      guard let id = FileID(words[2]) else { return complain("not a file ID: \(words[2])") }
      try await downloadPinned(id, from: words[0], to: words[1])
    case ("progress", let words) where words.count == 2:
      try await showProgress(of: words[0], to: words[1])
    case ("stop", let words) where words.count == 2:
      try await stopHalfway(words[0], to: words[1])
    case ("resume", let words) where words.count == 2:
      try await resume(words[0], to: words[1])
    case ("retry", let words) where words.count == 2:
      print(try await keepTrying(words[0], to: words[1]).length, "bytes")
    case ("verify", let words) where words.count == 1:
      guard try await verify(words[0]) else { exit(3) }
    case ("repair", let words) where words.count == 2:
      try await repair(words[1], from: words[0])
    case ("stream", let words) where words.count == 1:
      try await streamToStandardOutput(words[0])
    default:
      complain(
        """
        usage: sample download|progress|stop|resume|retry|repair URL FILE
               sample pinned URL FILE ID
               sample verify FILE
               sample stream URL
        """)
      exit(EX_USAGE)
    }
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
