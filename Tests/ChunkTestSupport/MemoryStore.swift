package import ChunkCore
package import ChunkStore
package import ChunkSystem

/// A store in memory: the simplest one there can be, to compare others with.
package final class MemoryStore: ChunkStoring {
  private let content = Lock<[ChunkID: [UInt8]]>([:])

  package init() {}

  /// Has something else under a name than what it says.
  package func pretend(_ bytes: [UInt8], to be: ChunkID) {
    content.withLock { $0[be] = bytes }
  }

  package func contains(_ id: ChunkID) -> Bool { content.withLock { $0[id] != nil } }

  package var claimCount: Int { 1 }

  package func read(claim: Int, of id: ChunkID, into buffer: ChunkBuffer) -> Bool {
    guard let bytes = content.withLock({ $0[id] }), bytes.count == buffer.length else { return false }
    return buffer.append(bytes.span) == bytes.count
  }

  package func file(of id: ChunkID) -> OpenFile? { nil }

  package func put(_ chunk: VerifiedChunk) throws(StoreError) {
    let bytes = unsafe Array(chunk.storage.sealedBytes)
    extendLifetime(chunk)
    content.withLock { $0[chunk.id] = bytes }
  }
}
