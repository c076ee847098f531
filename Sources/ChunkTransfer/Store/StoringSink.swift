internal import ChunkCore
internal import ChunkStore

/// Chunks go nowhere by themselves.
struct NoSink: ChunkSink {
  func place(_ chunks: [VerifiedChunk]) {}
}

/// Chunks go where they belong, and then into the store as well.
struct StoringSink: ChunkSink {
  let base: any ChunkSink
  let use: StoreUse

  func place(_ chunks: [VerifiedChunk]) throws(TransferError) {
    try base.place(chunks)
    use.keep(chunks)
  }
}
