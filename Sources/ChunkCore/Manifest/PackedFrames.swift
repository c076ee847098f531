/// Where the frames of some chunks lie in the pack: what the manifest's publisher claims, and nothing vouches for.
///
/// Source: `Spec/pack-v1.md`, section 2. A value that exists claims nothing impossible: every frame has a byte at least, is
/// not longer than its chunk could make it, and ends where a pack of such frames can end.
package struct PackedFrames: Sendable {
  /// The chunks whose frames these are: those of whole groups.
  package let chunks: Range<ChunkIndex>
  /// Where the first frame begins.
  private let start: UInt64
  private let ends: [UInt64]

  init(
    chunks: Range<ChunkIndex>, of geometry: ChunkGeometry, from start: UInt64, ends: [UInt64]
  ) throws(ManifestError) {
    let first = UInt64(chunks.lowerBound.rawValue)
    // As many frames lie before it, each of a byte at least.
    guard start >= first, start <= first * UInt64(PackFrame.longest(of: geometry.chunkSize.bytes)) else {
      throw ManifestError(.invalidPack, "the frame of chunk \(chunks.lowerBound) in the pack cannot begin at \(start)")
    }
    var previous = start
    for (chunk, end) in zip(chunks, ends) {
      guard end > previous else {
        throw ManifestError(
          .invalidPack, "the frame of chunk \(chunk) in the pack does not end behind the one before")
      }
      let length = geometry.length(of: chunk)
      guard end - previous <= UInt64(PackFrame.longest(of: length)) else {
        throw ManifestError(
          .invalidPack,
          "the frame of chunk \(chunk) in the pack is said to have \(end - previous) bytes, and the chunk has \(length)"
        )
      }
      previous = end
    }
    self.chunks = chunks
    self.start = start
    self.ends = ends
  }

  /// Where the frame of a chunk lies in the pack.
  ///
  /// - Precondition: The chunk is one of ``chunks``.
  package subscript(_ chunk: ChunkIndex) -> ByteRange { self[chunk..<chunk.advanced(by: 1)] }

  /// Where the frames of chunks that follow one another lie in the pack, which is without gaps.
  ///
  /// - Precondition: They are some of ``chunks``, and not none.
  package subscript(_ range: Range<ChunkIndex>) -> ByteRange {
    precondition(!range.isEmpty && chunks.contains(range), "not chunks of these frames")
    let place = range.lowerBound.rawValue - chunks.lowerBound.rawValue
    let begin = place == 0 ? start : ends[place - 1]
    return ByteRange(offset: begin, count: ends[place + range.count - 1] - begin)
  }
}
