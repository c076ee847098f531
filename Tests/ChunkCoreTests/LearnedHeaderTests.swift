import ChunkCore
import Testing

/// The vectors of `Spec/vectors/learned.json`, made by the Python reference.
private struct LearnedVectors: Decodable {
  struct Case: Decodable {
    let name: String
    let url: String
    let fileLength: UInt64
    let chunkSize: Int
    let validator: String
    let isEntityTag: Bool
    let header: HexBytes
  }

  let cases: [Case]
}

@Suite struct LearnedHeaderTests {
  private func header(length: UInt64 = 5_000_000, validator: String = "\"a\"") throws -> LearnedHeader? {
    let geometry = try ChunkGeometry(fileLength: length, chunkSize: .standard)
    return LearnedHeader(url: "http://a/", geometry: geometry, validator: validator, isEntityTag: true)
  }

  @Test func headersAreWrittenAsTheReferenceWritesThem() throws {
    let vectors = try SpecVectors.load("learned.json", as: LearnedVectors.self)
    #expect(vectors.cases.count == 4)
    for vector in vectors.cases {
      let geometry = try ChunkGeometry(
        fileLength: vector.fileLength, chunkSize: #require(ChunkSize(bytes: vector.chunkSize)))
      let made = LearnedHeader(
        url: vector.url, geometry: geometry, validator: vector.validator, isEntityTag: vector.isEntityTag)
      let isSame = made?.bytes == vector.header.bytes
      #expect(isSame, "\(vector.name)")
    }
  }

  @Test func whatHasNoPlaceInItGivesNone() throws {
    #expect(try header() != nil)
    #expect(try header(length: 0) == nil)
    #expect(try header(validator: "") == nil)
    #expect(try header(validator: String(repeating: "x", count: 3968)) != nil)
    #expect(try header(validator: String(repeating: "x", count: 3969)) == nil)
    // Two bytes each.
    #expect(try header(validator: String(repeating: "ä", count: 1985)) == nil)
  }

  @Test func identifiersFollowTheHeader() {
    #expect(LearnedHeader.place(of: ChunkIndex(0)) == ByteRange(offset: 4096, count: 32))
    #expect(LearnedHeader.place(of: ChunkIndex(1 << 24)) == ByteRange(offset: 4096 + (32 << 24), count: 32))
  }
}
