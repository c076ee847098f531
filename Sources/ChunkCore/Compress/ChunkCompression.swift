/// When a chunk is kept compressed, and what is taken for a compressed chunk.
///
/// Source: `Spec/store-v1.md`, section 5.
package enum ChunkCompression {
  /// The chunk as a frame, if that saves at least 5 %. About a millisecond for 256 KiB.
  package static func compress(_ chunk: Span<UInt8>) -> [UInt8]? {
    ZstdFrame.compress(chunk, level: level, atMost: chunk.count - (chunk.count + 19) / 20)
  }

  /// Unpacks a chunk of as many bytes as `chunk` has.
  ///
  /// - Returns: Whether `frame` was a frame of such a chunk; which bytes these are the caller's hash will tell. Nothing is
  ///   written beyond `chunk`, whatever the frame holds.
  package static func decompress(_ frame: Span<UInt8>, into chunk: inout MutableSpan<UInt8>) -> Bool {
    length(of: frame) == chunk.count && ZstdFrame.decompress(frame, into: &chunk)
  }

  /// The length that a frame says its chunk has; nil when it is not exactly one frame, or not of a chunk.
  package static func length(of frame: Span<UInt8>) -> Int? {
    // A frame that is longer than its content has no reason to be there.
    guard let size = ZstdFrame.contentSize(of: frame), size <= UInt64(ChunkSize.maximum.bytes), frame.count <= Int(size)
    else { return nil }
    return Int(size)
  }

  /// zstd's own default: higher ones cost far more time than they save.
  private static let level: CInt = 3
}
