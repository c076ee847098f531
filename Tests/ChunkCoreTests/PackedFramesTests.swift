import ChunkCore
import Testing

/// The `pack` column: where the frames lie, and which claims are impossible.
struct PackedFramesTests {
  private static let chunkSize = 4096
  private static let longest = UInt64(PackFrame.longest(of: chunkSize))

  /// The manifest of so many chunks, the last of which has `last` bytes, with frames that end there.
  private func manifest(chunkCount: Int, last: Int = 1, ends: [UInt64]?) throws -> (Manifest, [UInt8]) {
    let length = UInt64((chunkCount - 1) * Self.chunkSize + last)
    let geometry = try ChunkGeometry(
      fileLength: length, chunkSize: #require(ChunkSize(bytes: Self.chunkSize)))
    let ids = (0..<chunkCount).map { ChunkID(VectorContent.block($0, seed: "pack")) }
    let bytes = try ManifestEncoder(geometry: geometry, chunkIDs: ids, frameEnds: ends).encode()
    return (try Manifest.decode(whole: bytes.span, expecting: nil).0, bytes)
  }

  private func frames(
    _ groups: Range<Int>, of manifest: Manifest, _ bytes: [UInt8]
  ) throws(ManifestError) -> PackedFrames {
    guard let range = manifest.packRange(groups: groups) else { preconditionFailure("there is no column") }
    return try manifest.packedFrames(
      groups: groups, bytes: bytes.span.extracting(Int(range.offset)..<Int(range.end)))
  }

  @Test("a frame begins where the one before it ends, on every page")
  func ranges() throws {
    let ends = (0..<2500).map { UInt64($0 + 1) * 10 + UInt64($0 % 7) }
    let (manifest, bytes) = try manifest(chunkCount: 2500, ends: ends)
    #expect(manifest.describesPack)
    for groups in [0..<1, 1..<2, 2..<3, 0..<3, 1..<3] {
      let frames = try frames(groups, of: manifest, bytes)
      #expect(frames.chunks.lowerBound.rawValue == groups.lowerBound * 1024)
      #expect(frames.chunks.upperBound.rawValue == min(groups.upperBound * 1024, 2500))
      for chunk in frames.chunks {
        let start = chunk.rawValue == 0 ? 0 : ends[chunk.rawValue - 1]
        #expect(frames[chunk] == ByteRange(offset: start, count: ends[chunk.rawValue] - start))
      }
      let some = frames.chunks.lowerBound.advanced(by: 3)..<frames.chunks.upperBound
      let begin = ends[some.lowerBound.rawValue - 1]
      #expect(frames[some] == ByteRange(offset: begin, count: ends[some.upperBound.rawValue - 1] - begin))
    }
  }

  @Test("a manifest without the column has none")
  func none() throws {
    let (manifest, _) = try manifest(chunkCount: 3, ends: nil)
    #expect(!manifest.describesPack)
    #expect(manifest.packRange(groups: 0..<1) == nil)
  }

  @Test("a frame longer than its chunk can make it is refused, and the manifest is not")
  func tooLong() throws {
    let most = Self.longest
    let (whole, bytes) = try manifest(chunkCount: 3, ends: [most, 2 * most, 2 * most + 129])
    #expect(try frames(0..<1, of: whole, bytes)[ChunkIndex(2)].count == 129)
    let wrong: [[UInt64]] = [
      [most + 1, most + 2, most + 3], [1, most + 2, most + 3], [1, 2, 132], [1, 2, .max], [.max - 2, .max - 1, .max],
    ]
    for ends in wrong {
      let (manifest, bytes) = try manifest(chunkCount: 3, ends: ends)
      let error = #expect(throws: ManifestError.self) { try frames(0..<1, of: manifest, bytes) }
      #expect(error?.code == .invalidPack)
    }
  }

  @Test("a page is refused that begins where none can, does not increase, or has another length")
  func pages() throws {
    let count = 1025
    let (manifest, _) = try manifest(chunkCount: count, ends: (0..<count).map { UInt64($0 + 1) })
    func read(_ numbers: [UInt64]) throws(ManifestError) -> PackedFrames {
      let bytes = numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } }
      return try manifest.packedFrames(groups: 1..<2, bytes: bytes.span)
    }
    #expect(try read([1024, 1025])[ChunkIndex(1024)] == ByteRange(offset: 1024, count: 1))
    let end = 1024 * Self.longest
    #expect(try read([end, end + 129])[ChunkIndex(1024)] == ByteRange(offset: end, count: 129))
    for numbers in [
      [1023, 1024], [end + 1, end + 2], [1024, 1024], [1024, 1023], [.max, 0], [1024], [1024, 1025, 1026],
    ] {
      let error = #expect(throws: ManifestError.self) { _ = try read(numbers) }
      #expect(error?.code == .invalidPack)
    }
  }
}
