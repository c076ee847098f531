internal import ChunkStore
internal import ChunkSystem

extension FileCheck {
  /// A chunk of a file that is not what the manifest says. A plain value.
  public struct WrongChunk: Sendable, Hashable {
    /// What is at the place of the chunk.
    public enum Found: Sendable, Hashable {
      /// Other bytes, with this SHA-256; fewer where the file ends inside the chunk.
      case other(ChunkID)
      /// Nothing: the file ends before it, or has a hole there.
      case nothing
      /// Something that cannot be read; the text says why.
      case unreadable(String)
    }

    /// Which chunk it is.
    public let index: ChunkIndex
    /// Where it is in the file.
    public let range: ByteRange
    /// The ID it is to have.
    public let expected: ChunkID
    /// What is there.
    public let found: Found

    init(_ chunk: BadChunk) {
      index = chunk.index
      range = chunk.range
      expected = chunk.expected
      found =
        switch chunk.finding {
        case .wrong(let id): .other(id)
        case .unreadable(let errno): .unreadable(errno.description)
        case .absent, .right: .nothing
        }
    }
  }
}
