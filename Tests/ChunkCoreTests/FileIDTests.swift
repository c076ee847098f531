import ChunkCore
import Testing

@Suite struct FileIDTests {
  private let id = FileID(fileLength: 0x0102, chunkSize: .minimum, root: Merkle.emptyRoot)

  @Test func isTheHashOfLengthChunkSizeAndRoot() {
    let numbers: [UInt8] = [2, 1, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 0, 0, 0]
    let input = Array("chunks/1".utf8) + numbers + Merkle.emptyRoot.bytes
    #expect(id.digest == SHA256Hasher.hash(input.span))
  }

  @Test func differsWithEachOfThem() {
    #expect(id != FileID(fileLength: 0x0103, chunkSize: .minimum, root: Merkle.emptyRoot))
    #expect(id != FileID(fileLength: 0x0102, chunkSize: .standard, root: Merkle.emptyRoot))
    #expect(id != FileID(fileLength: 0x0102, chunkSize: .minimum, root: id.digest))
  }

  @Test func printsWithItsPrefix() {
    #expect(id.description == "chunks1-" + id.hex)
    #expect(id.hex == id.digest.hex)
  }

  @Test func isReadFromWhatTheSpecAllows() throws {
    let texts = try SpecVectors.load("manifests.json", as: Vectors.self).fileIDTexts
    #expect(!texts.isEmpty)
    for vector in texts {
      #expect(FileID(vector.text)?.description == vector.fileID, "\(vector.text)")
    }
  }

  private struct Vectors: Decodable {
    let fileIDTexts: [Text]

    struct Text: Decodable {
      let text: String
      let fileID: String?
    }
  }
}
