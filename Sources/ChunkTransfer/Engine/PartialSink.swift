internal import ChunkCore
internal import ChunkStore

/// Where verified chunks go. Called from several threads at once.
protocol ChunkSink: Sendable {
  func place(_ chunks: [VerifiedChunk]) throws(TransferError)
}

/// Chunks go to their offsets in the partial.
struct PartialSink: ChunkSink {
  let partial: PartialFile
  let geometry: ChunkGeometry

  func place(_ chunks: [VerifiedChunk]) throws(TransferError) {
    do throws(StoreError) {
      try partial.write(chunks, in: geometry)
    } catch {
      throw TransferError(error)
    }
  }
}
