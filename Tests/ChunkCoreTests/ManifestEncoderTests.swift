import ChunkCore
import Testing

@Suite struct ManifestEncoderTests {
  private struct Full: Error, Equatable {}

  private func ids(_ count: Int) -> [ChunkID] {
    (0..<count).map { ChunkID(VectorContent.block($0, seed: "encoder")) }
  }

  private func geometry(chunks: Int) throws -> ChunkGeometry {
    try ChunkGeometry(fileLength: UInt64(chunks * ChunkSize.minimum.bytes), chunkSize: .minimum)
  }

  @Test(arguments: [0, 1, 1023, 1024, 1025, 3000])
  func writesInPiecesWhatItEncodes(chunks: Int) throws {
    let encoder = try ManifestEncoder(geometry: geometry(chunks: chunks), chunkIDs: ids(chunks))
    var written: [UInt8] = []
    encoder.write { piece in
      #expect(piece.count <= 32 << 10)
      for index in piece.indices { written.append(piece[index]) }
    }
    #expect(written == encoder.encode())
    #expect(UInt64(written.count) == encoder.totalLength)
    let (manifest, pages) = try Manifest.decode(whole: written.span, expecting: encoder.fileID)
    #expect(manifest.root == encoder.root)
    #expect(pages.flatMap(\.ids) == ids(chunks))
  }

  @Test func stopsWhenTheSinkThrows() throws {
    let encoder = try ManifestEncoder(geometry: geometry(chunks: 3000), chunkIDs: ids(3000))
    for limit in 1...4 {
      var pieces = 0
      #expect(throws: Full()) {
        try encoder.write { (_) throws(Full) in
          pieces += 1
          if pieces == limit { throw Full() }
        }
      }
      #expect(pieces == limit)
    }
  }

  @Test func leavesEmptyMetadataOut() throws {
    let plain = try ManifestEncoder(geometry: geometry(chunks: 1), chunkIDs: ids(1))
    let empty = try ManifestEncoder(geometry: geometry(chunks: 1), chunkIDs: ids(1), metadata: ManifestMetadata())
    #expect(empty.encode() == plain.encode())
  }

  /// `{"comment":""}` takes 14 bytes.
  @Test func refusesMetadataOverOneMebibyte() throws {
    let geometry = try geometry(chunks: 1)
    let most = try ManifestMetadata(comment: String(repeating: "x", count: (1 << 20) - 14))
    let bytes = try ManifestEncoder(geometry: geometry, chunkIDs: ids(1), metadata: most).encode()
    #expect(try Manifest.decode(whole: bytes.span, expecting: nil).0.metadata == most)
    let more = try ManifestMetadata(comment: String(repeating: "x", count: (1 << 20) - 13))
    let error = errorName { () throws(ManifestError) in
      _ = try ManifestEncoder(geometry: geometry, chunkIDs: ids(1), metadata: more)
    }
    #expect(error == "tooLarge")
  }

  @Test func metadataDoesNotChangeTheFileID() throws {
    let plain = try ManifestEncoder(geometry: geometry(chunks: 5), chunkIDs: ids(5))
    let named = try ManifestEncoder(
      geometry: geometry(chunks: 5), chunkIDs: ids(5), metadata: ManifestMetadata(name: "n"))
    #expect(named.fileID == plain.fileID)
    #expect(named.encode() != plain.encode())
  }
}
