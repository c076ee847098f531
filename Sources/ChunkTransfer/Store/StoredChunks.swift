internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The chunks of a store, as a place that is asked before the network.
final class StoredChunks: LocalChunks {
  private let use: StoreUse
  /// Where the chunks go, past whatever would put them into the store again.
  private let sink: any ChunkSink
  /// Made with the first chunk for a file.
  private let copy = Lock<StoreCopy?>(nil)

  init(of use: StoreUse, placingIn sink: any ChunkSink) {
    self.use = use
    self.sink = sink
  }

  func candidates(among chunks: [ExpectedChunk], isStopped: () -> Bool) -> [ExpectedChunk] {
    chunks.filter { !isStopped() && use.store.contains($0.id) }
  }

  func deliver(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    let delivery = delivery.placing(in: sink)
    var rest = chunks.filter { use.store.contains($0.id) }
    var delivered = try copied(rest, to: delivery)
    // What cannot be copied by the kernel, or was wrong, is read; in each form that there is.
    for claim in 0..<use.store.claimCount {
      let isHere = Set(delivered)
      rest.removeAll { isHere.contains($0.index) }
      delivered += try delivery.place(rest) { chunk, buffer in
        use.store.read(claim: claim, of: chunk.id, into: buffer)
      }
    }
    use.found(delivered)
    return delivered.sorted()
  }

  private func copied(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    guard let partial = delivery.partial else { return [] }
    let copy = copy.withLock { copy in
      let made = copy ?? StoreCopy(from: use.store, to: partial, geometry: delivery.geometry)
      copy = made
      return made
    }
    do throws(StoreError) { return try copy.take(chunks) } catch { throw TransferError(error) }
  }
}
