internal import ChunkSystem
internal import Synchronization

/// Numbered pieces of work that several threads share: each takes the next one nobody has. The first failure ends it.
struct SharedWork: Sendable {
  /// What tools show the threads as.
  let name: String
  /// How many pieces there are.
  let count: Int
  let threadCount: Int

  /// Returns when all is done, or when it has failed or was stopped.
  ///
  /// - Parameters:
  ///   - isStopped: Ends it early, between two pieces.
  ///   - makeWorker: Makes what a thread needs for itself.
  ///   - work: Does the piece of this number.
  /// - Throws: The first failure.
  func run<Worker>(
    isStopped: @escaping @Sendable () -> Bool = { false }, makeWorker: @escaping @Sendable () -> Worker,
    work: @escaping @Sendable (Worker, Int) throws(StoreError) -> Void
  ) throws(StoreError) {
    let next = Atomic(0)
    let failure = Lock<StoreError?>(nil)
    let count = count
    DedicatedThread.concurrently(threadCount, name: name) { _ in
      let worker = makeWorker()
      while !isStopped(), failure.withLock({ $0 == nil }) {
        let number = next.add(1, ordering: .relaxed).oldValue
        guard number < count else { return }
        do throws(StoreError) {
          try work(worker, number)
        } catch {
          failure.withLock { $0 = $0 ?? error }
        }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
