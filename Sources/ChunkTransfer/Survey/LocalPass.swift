internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The pass of the survey that puts in place what seeds and stores have.
///
/// The other passes hand it missing chunks that a place may have; it takes them group by group, the lowest first, and what
/// no place had after all goes to the network. It remembers one bit a chunk, and reads the page of a group again when its
/// turn comes: so however long copying takes, nobody waits for it.
///
/// Ordered output holds a chunk in memory until it is put out. So chunks are delivered in the order of the file, by one
/// thread, and only when they are among the next ones to be put out: then each finds a buffer, and none waits for a
/// chunk that comes later.
final class LocalPass: Sendable {
  private struct State {
    /// What other passes have handed over, and no thread has taken yet.
    var pending: ChunkSet
    var passesLeft = 2
    var isStopped = false
  }

  private let geometry: ChunkGeometry
  private let places: [any LocalChunks]
  private let pageSource: any LeafPageSource
  private let settlement: Settlement
  private let ordered: OrderedOutput?
  private let state: Monitor<State>
  private let makeDelivery: @Sendable (_ isStopped: @escaping @Sendable () -> Bool) -> LocalDelivery

  /// On how many threads it is to be run.
  let threadCount: Int

  /// A pass over `places` in their order, with `budget` bytes of buffers for all threads together. `ordered` is the output
  /// when that is a stream.
  init(
    places: [any LocalChunks], geometry: ChunkGeometry, pageSource: any LeafPageSource, settlement: Settlement,
    sink: any ChunkSink, partial: PartialFile?, ordered: OrderedOutput?, budget: Int
  ) {
    self.geometry = geometry
    self.places = places
    self.pageSource = pageSource
    self.settlement = settlement
    self.ordered = ordered
    state = Monitor(State(pending: ChunkSet(capacity: geometry.chunkCount)))
    let threadCount = ordered == nil ? DedicatedThread.processorCount : 1
    self.threadCount = threadCount
    makeDelivery = { isStopped in
      LocalDelivery(
        geometry: geometry, sink: sink, partial: partial, budget: budget / threadCount, isStopped: isStopped)
    }
  }

  // MARK: From the other passes

  /// Lets every place find out what it has.
  func prepare() {
    for place in places { place.prepare(isStopped: { [self] in isStopped }) }
  }

  /// Takes over what a place may have of these chunks.
  ///
  /// - Returns: The others, in their order.
  func takeOver(_ chunks: [ChunkIndex], of page: LeafPage) throws(TransferError) -> [ChunkIndex] {
    var rest = chunks.map { ExpectedChunk(index: $0, id: page[$0]) }
    var taken: [ChunkIndex] = []
    for place in places where !rest.isEmpty {
      let candidates = Set(try place.candidates(among: rest, isStopped: { [self] in isStopped }).map(\.index))
      taken += candidates
      rest.removeAll { candidates.contains($0.index) }
    }
    state.change { state in
      for chunk in taken { state.pending.insert(chunk) }
    }
    return rest.map(\.index)
  }

  /// One of the other two passes hands over nothing more.
  func passEnded() {
    state.change { $0.passesLeft -= 1 }
  }

  func stop() {
    state.change { $0.isStopped = true }
    ordered?.endTurns()
  }

  // MARK: The pass

  func run() throws(TransferError) {
    let delivery = makeDelivery { [self] in isStopped }
    while let chunks = next(), let first = chunks.first {
      let page = try pageSource.page(group: geometry.group(of: first))
      var rest = chunks.map { ExpectedChunk(index: $0, id: page[$0]) }[...]
      while let first = rest.first {
        guard let batch = turn(from: first.index, of: rest, batch: delivery.batch) else { return }
        rest = rest.dropFirst(batch.count)
        try deliver(batch, of: page, to: delivery)
      }
    }
  }

  private var isStopped: Bool { state.read { $0.isStopped } }

  /// The pending chunks of the lowest group that has some; nil when none will come any more.
  private func next() -> [ChunkIndex]? {
    let chunks: [ChunkIndex]?? = state.wait { state in
      if state.isStopped { return .some(nil) }
      guard let first = state.pending.first(atOrAfter: ChunkIndex(0)) else {
        return state.passesLeft == 0 ? .some(nil) : nil
      }
      let group = geometry.chunks(inGroup: geometry.group(of: first))
      let chunks = group.filter { state.pending.contains($0) }
      for chunk in chunks { state.pending.remove(chunk) }
      return .some(chunks)
    }
    return chunks ?? nil
  }

  /// The chunks that may be delivered now; nil when it is all over.
  private func turn(
    from first: ChunkIndex, of rest: ArraySlice<ExpectedChunk>, batch: Int
  ) -> ArraySlice<ExpectedChunk>? {
    guard let ordered else { return rest }
    guard let end = ordered.waitForTurn(of: first, window: batch) else { return nil }
    return rest.prefix { $0.index < end }
  }

  private func deliver(
    _ chunks: ArraySlice<ExpectedChunk>, of page: LeafPage, to delivery: LocalDelivery
  ) throws(TransferError) {
    var rest = Array(chunks)
    for place in places where !rest.isEmpty {
      let delivered = try place.deliver(rest, to: delivery)
      settlement.found(delivered)
      let isHere = Set(delivered)
      rest.removeAll { isHere.contains($0.index) }
    }
    if isStopped { return }
    settlement.want(rest.map(\.index), of: page)
  }
}
