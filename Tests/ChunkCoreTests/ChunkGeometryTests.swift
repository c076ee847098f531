import ChunkCore
import Testing

@Suite struct ChunkGeometryTests {
  private static let size = ChunkSize.minimum
  private static let bytes = UInt64(size.bytes)

  @Test(arguments: [
    (0, 0, 0), (1, 1, 1), (bytes - 1, 1, 1), (bytes, 1, 1), (bytes + 1, 2, 1), (2 * bytes, 2, 1),
    (1023 * bytes, 1023, 1), (1024 * bytes, 1024, 1), (1024 * bytes + 1, 1025, 2), (2048 * bytes, 2048, 2),
  ])
  func countsChunksAndGroups(fileLength: UInt64, chunks: Int, groups: Int) throws {
    let geometry = try ChunkGeometry(fileLength: fileLength, chunkSize: Self.size)
    #expect(geometry.chunkCount == chunks)
    #expect(geometry.groupCount == groups)
    #expect(geometry.chunks.count == chunks)
  }

  /// The chunks' ranges, one after another, are the file; so are those of the groups.
  @Test(arguments: [0, 1, bytes - 1, bytes, bytes + 1, 3 * bytes + 17, 1024 * bytes + 5, 2048 * bytes])
  func chunksCoverTheFile(fileLength: UInt64) throws {
    let geometry = try ChunkGeometry(fileLength: fileLength, chunkSize: Self.size)
    var end: UInt64 = 0
    // One expectation for all of them: thousands of single ones take seconds.
    let wrong = geometry.chunks.filter { chunk in
      let range = geometry.range(of: chunk)
      defer { end = range.end }
      return range.offset != end || range.isEmpty || range.count != UInt64(geometry.length(of: chunk))
        || geometry.chunk(at: range.offset) != chunk || geometry.chunk(at: range.end - 1) != chunk
        || !geometry.chunks(inGroup: geometry.group(of: chunk)).contains(chunk)
    }
    #expect(wrong == [])
    #expect(end == fileLength)
    #expect(geometry.range(of: geometry.chunks) == ByteRange(offset: 0, count: fileLength))

    var next = ChunkIndex(0)
    for group in 0..<geometry.groupCount {
      let chunks = geometry.chunks(inGroup: group)
      #expect(chunks.lowerBound == next)
      #expect(!chunks.isEmpty)
      next = chunks.upperBound
    }
    #expect(next == geometry.chunks.upperBound)
  }

  @Test func anEmptyRangeOfChunksHasNoBytes() throws {
    let geometry = try ChunkGeometry(fileLength: Self.bytes + 1, chunkSize: Self.size)
    for chunk in 0...2 {
      #expect(geometry.range(of: ChunkIndex(chunk)..<ChunkIndex(chunk)).isEmpty)
    }
    #expect(geometry.range(of: ChunkIndex(1)..<ChunkIndex(2)) == ByteRange(offset: Self.bytes, count: 1))
  }

  @Test func allowsTwoToThe24Chunks() throws {
    let most = try ChunkGeometry(fileLength: 64 << 40, chunkSize: .maximum)
    #expect(most.chunkCount == 1 << 24)
    #expect(most.groupCount == 1 << 14)
    #expect(most.range(of: ChunkIndex((1 << 24) - 1)).end == 64 << 40)
    #expect(throws: ManifestError.self) { try ChunkGeometry(fileLength: (64 << 40) + 1, chunkSize: .maximum) }
    for length in [UInt64.max, UInt64.max - Self.bytes, 1 << 63] {
      let error = errorName { () throws(ManifestError) in
        _ = try ChunkGeometry(fileLength: length, chunkSize: Self.size)
      }
      #expect(error == "tooLarge")
    }
  }

  @Test(arguments: [0, 1, 2048, 4095, 4097, 6144, 8 << 20, (4 << 20) + 1, -4096, Int.min, Int.max])
  func refusesOtherChunkSizes(bytes: Int) {
    #expect(ChunkSize(bytes: bytes) == nil)
  }

  @Test func takesEveryPowerOfTwoBetween() {
    for shift in 12...22 {
      #expect(ChunkSize(bytes: 1 << shift)?.bytes == 1 << shift)
    }
    #expect(ChunkSize.minimum < ChunkSize.standard)
    #expect("\(ChunkSize.minimum), \(ChunkSize.standard), \(ChunkSize.maximum)" == "4 KiB, 256 KiB, 4 MiB")
  }

  @Test func indicesCount() {
    #expect((ChunkIndex(3)..<ChunkIndex(6)).map(\.rawValue) == [3, 4, 5])
    #expect(ChunkIndex(3).distance(to: ChunkIndex(1)) == -2)
    #expect(ChunkIndex(3) < ChunkIndex(4))
    #expect("\(ChunkIndex(7))" == "7")
    #expect("\(ByteRange(offset: 1, count: 2))" == "[1, 3)")
  }
}
