internal import ChunkCore
internal import ChunkStore

/// Chunks of zeros, for a store, which need not have them: nobody fetches what everybody can make.
struct ZeroChunks: LocalChunks {
  let geometry: ChunkGeometry

  func candidates(among chunks: [ExpectedChunk], isStopped: () -> Bool) -> [ExpectedChunk] {
    chunks.filter { $0.id == ZeroChunk.id(length: geometry.length(of: $0.index)) }
  }

  func deliver(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) -> [ChunkIndex] {
    candidates(among: chunks, isStopped: { false }).map(\.index)
  }
}
