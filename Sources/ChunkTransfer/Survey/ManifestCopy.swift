internal import ChunkCore
internal import ChunkStore

/// The copy of the manifest beside the partial: sparse, believed only as far as its pages verify, and of no consequence
/// when it cannot be written.
struct ManifestCopy: Sendable {
  private let file: SideFile

  init(_ file: SideFile) {
    self.file = file
  }

  /// Reads a range; nil when it is not all there.
  func read(_ range: ByteRange) -> [UInt8]? {
    file.read(range)
  }

  /// Keeps bytes for the next run, which does without them if it has to.
  func write(_ bytes: Span<UInt8>, at offset: UInt64) {
    do throws(StoreError) { try file.write(bytes, at: offset) } catch { return }
  }
}
