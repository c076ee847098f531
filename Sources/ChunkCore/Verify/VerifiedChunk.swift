/// A chunk whose bytes have been hashed and found to be what its ID says.
///
/// Only the verifier makes one, and only one of these can be written to a file or a store: that wrong bytes are never
/// written is a matter of types. The bytes stay where they were hashed, and nobody writes to them any more.
public struct VerifiedChunk: Sendable {
  package let index: ChunkIndex
  package let id: ChunkID
  package let storage: any ChunkStorage

  init(index: ChunkIndex, id: ChunkID, storage: any ChunkStorage) {
    self.index = index
    self.id = id
    self.storage = storage
  }
}
