/// The frame of a chunk in a pack.
///
/// Source: `Spec/pack-v1.md`, section 3.
package enum PackFrame {
  /// How many bytes the frame of a chunk has at most: those of one that no compressor can make shorter, and of its headers.
  ///
  /// - Parameter length: The length of the chunk.
  /// - Returns: About 0.4 % more than that.
  package static func longest(of length: Int) -> Int { length + length / 256 + 128 }

  /// Unpacks a chunk of as many bytes as `chunk` has.
  ///
  /// - Parameters:
  ///   - frame: All bytes that the pack has for the chunk, from whoever.
  ///   - chunk: Where the bytes go. Nothing is written beyond it, whatever the frame holds; beside it, the library takes some
  ///     160 KiB while it works.
  /// - Returns: Whether `frame` is one frame of such a chunk and nothing else. If not, what `chunk` holds is not known; which bytes
  ///   it holds otherwise, its hash will tell.
  package static func decompress(_ frame: Span<UInt8>, into chunk: inout MutableSpan<UInt8>) -> Bool {
    frame.count <= longest(of: chunk.count) && ZstdFrame.contentSize(of: frame) == UInt64(chunk.count)
      && ZstdFrame.decompress(frame, into: &chunk)
  }
}
