// The column `pack`: 8 bytes a chunk, where its frame ends in the pack. Source: `Spec/pack-v1.md`, section 2.

extension Manifest {
  /// Whether the manifest says where the frames of a pack lie. It names no pack by that: the metadata does.
  package var describesPack: Bool { sections[.pack] != nil }

  /// Which bytes of the manifest file say where the frames of some groups lie; nil when it has no such column.
  ///
  /// A frame begins where the one before it ends, so that from the second group on these are 8 bytes more than 8 a chunk.
  ///
  /// - Precondition: The file has such groups, and they are not none.
  package func packRange(groups: Range<Int>) -> ByteRange? {
    guard let column = sections[.pack] else { return nil }
    let first = UInt64(geometry.chunks(inGroup: groups.lowerBound).lowerBound.rawValue)
    let end = UInt64(geometry.chunks(inGroup: groups.upperBound - 1).upperBound.rawValue)
    let start = first == 0 ? 0 : first - 1
    return ByteRange(offset: column.range.offset + start * 8, count: (end - start) * 8)
  }

  /// Where the frames of some groups lie in the pack.
  ///
  /// - Parameters:
  ///   - groups: Groups of the file, not none.
  ///   - bytes: What lies in ``packRange(groups:)``.
  /// - Returns: The claims, none of which is impossible.
  /// - Throws: ``ManifestError`` with the code ``ManifestError/Code/invalidPack`` when one is, or when there are more or fewer
  ///   bytes: the pack cannot be used for these chunks. The manifest can.
  package func packedFrames(groups: Range<Int>, bytes: Span<UInt8>) throws(ManifestError) -> PackedFrames {
    let first = geometry.chunks(inGroup: groups.lowerBound).lowerBound
    let chunks = first..<geometry.chunks(inGroup: groups.upperBound - 1).upperBound
    let begin = first.rawValue == 0 ? 0 : 1
    guard bytes.count == (begin + chunks.count) * 8 else {
      throw ManifestError(
        .invalidPack, "\(bytes.count) bytes came for the frames of \(chunks.count) chunks, which take 8 each")
    }
    let numbers = (0..<bytes.count / 8).map { bytes.littleEndian(at: $0 * 8, as: UInt64.self) }
    return try PackedFrames(
      chunks: chunks, of: geometry, from: begin == 0 ? 0 : numbers[0], ends: Array(numbers[begin...]))
  }
}
