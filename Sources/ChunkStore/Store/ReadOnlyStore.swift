package import ChunkCore
package import ChunkSystem

/// A store that is read and never written: one on a medium, or of an owner, that does not allow it.
package struct ReadOnlyStore: ChunkStoring {
  private let base: any ChunkStoring

  package init(_ base: any ChunkStoring) {
    self.base = base
  }

  package func contains(_ id: ChunkID) -> Bool { base.contains(id) }

  package var claimCount: Int { base.claimCount }

  package func read(claim: Int, of id: ChunkID, into buffer: ChunkBuffer) -> Bool {
    base.read(claim: claim, of: id, into: buffer)
  }

  package func file(of id: ChunkID) -> OpenFile? { base.file(of: id) }

  /// Always refuses.
  package func put(_ chunk: VerifiedChunk) throws(StoreError) {
    throw StoreError(.readOnly, "the store is only read", path: chunk.id.hex)
  }
}
