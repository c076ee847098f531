package import ChunkCore
package import ChunkSystem

/// Puts the chunks of a file that is on disk into a store, on all processors.
package struct StoreAddition {
  /// What was done.
  package struct Report: Hashable, Sendable {
    /// Bytes of chunks that were put in; those that were there, and right, do not count.
    package fileprivate(set) var addedBytes: UInt64 = 0
    /// Chunks that the file does not have, or not right.
    package fileprivate(set) var wrongCount = 0
  }

  private let store: any ChunkStoring
  private let geometry: ChunkGeometry
  private let threadCount: Int

  package init(
    to store: any ChunkStoring, geometry: ChunkGeometry, threadCount: Int = DedicatedThread.processorCount
  ) {
    self.store = store
    self.geometry = geometry
    self.threadCount = max(1, threadCount)
  }

  /// Reads the file and puts in what the store does not have right already: that is hashed, not believed. Blocks until it is done.
  ///
  /// - Parameters:
  ///   - file: Has the chunks at their places.
  ///   - page: The IDs of a group; called from several threads.
  ///   - progress: Is told how far it is.
  ///   - isKnown: Whether a chunk is in the store for certain, and need not be looked at.
  ///   - isStopped: Ends it early.
  /// - Returns: What was done.
  /// - Throws: ``StoreError`` when the store takes no more, or a page is not to be had.
  package func add(
    _ file: OpenFile, page: @escaping @Sendable (_ group: Int) throws(StoreError) -> LeafPage,
    progress: HashingProgress = HashingProgress(),
    isKnown: @escaping @Sendable (ChunkIndex) -> Bool = { _ in false },
    isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws(StoreError) -> Report {
    progress.begin(total: geometry.fileLength)
    let total = Lock(Report())
    let (store, geometry) = (store, geometry)
    try SharedWork(name: "store", count: geometry.groupCount, threadCount: threadCount).run(
      isStopped: isStopped, makeWorker: { AdditionRun(store: store, file: file, geometry: geometry) }
    ) { run, group throws(StoreError) in
      let page = try page(group)
      let added = try run.add(page, isKnown: isKnown, isStopped: isStopped)
      progress.add(geometry.range(of: page.chunks).count)
      total.withLock { total in
        total.addedBytes += added.addedBytes
        total.wrongCount += added.wrongCount
      }
    }
    if isStopped() { throw StoreError(.cancelled, "it was stopped; what is in the store stays", path: "store") }
    return total.withLock { $0 }
  }
}

/// What one thread of it has: buffers for a batch of chunks.
private struct AdditionRun {
  let store: any ChunkStoring
  let file: OpenFile
  let geometry: ChunkGeometry
  private let pool: BufferPool
  private let verifier = ChunkVerifier()

  init(store: any ChunkStoring, file: OpenFile, geometry: ChunkGeometry) {
    self.store = store
    self.file = file
    self.geometry = geometry
    pool = BufferPool(budget: 16 * geometry.chunkSize.bytes, chunkSize: geometry.chunkSize.bytes)
  }

  func add(
    _ page: LeafPage, isKnown: (ChunkIndex) -> Bool, isStopped: () -> Bool
  ) throws(StoreError) -> StoreAddition.Report {
    var report = StoreAddition.Report()
    let wanted = page.chunks.filter { chunk in
      // Zeros are made by whoever wants them.
      !isKnown(chunk) && page[chunk] != ZeroChunk.id(length: geometry.length(of: chunk))
    }
    var rest = wanted[...]
    while !rest.isEmpty, !isStopped() {
      let batch = rest.prefix(pool.capacity)
      rest = rest.dropFirst(batch.count)
      let candidates = batch.compactMap { chunk in candidate(chunk, page[chunk]) }
      report.wrongCount += batch.count - candidates.count
      for verdict in verifier.verify(candidates) {
        guard case .verified(let chunk) = verdict else {
          report.wrongCount += 1
          continue
        }
        if try store.add(chunk) { report.addedBytes += UInt64(geometry.length(of: chunk.index)) }
      }
    }
    return report
  }

  private func candidate(_ chunk: ChunkIndex, _ id: ChunkID) -> ChunkCandidate? {
    let range = geometry.range(of: chunk)
    guard let buffer = pool.take(length: Int(range.count)) else { return nil }
    do throws(Errno) {
      guard try buffer.fill(from: file.descriptor, at: range.offset) else { return nil }
    } catch {
      return nil
    }
    buffer.seal()
    return ChunkCandidate(index: chunk, expected: id, storage: buffer)
  }
}
