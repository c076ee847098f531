/// Somebody who waits until the recording fulfils a condition.
struct Waiter: Sendable {
  let id: Int
  let isFulfilled: @Sendable (Recording) -> Bool
  let continuation: CheckedContinuation<Result<Recording, FaultServerError>, Never>
}

/// The waiters of one server, without any lock of its own.
struct WaiterList {
  private var waiting: [Waiter] = []
  private var cancelled: Set<Int> = []
  private var nextID = 0

  mutating func newID() -> Int {
    nextID += 1
    return nextID
  }

  /// Adds a waiter, unless it was cancelled before it got here; says whether it was added.
  mutating func add(_ waiter: Waiter) -> Bool {
    guard cancelled.remove(waiter.id) == nil else { return false }
    waiting.append(waiter)
    return true
  }

  /// Takes a waiter out; when it has not come yet, it will be turned away.
  mutating func cancel(_ id: Int) -> Waiter? {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else {
      cancelled.insert(id)
      return nil
    }
    return waiting.remove(at: index)
  }

  /// Forgets that a waiter was cancelled after it had been answered.
  mutating func forget(_ id: Int) { cancelled.remove(id) }

  mutating func takeFulfilled(by recording: Recording) -> [Waiter] {
    guard !waiting.isEmpty else { return [] }
    let fulfilled = waiting.filter { $0.isFulfilled(recording) }
    if !fulfilled.isEmpty {
      let ids = Set(fulfilled.map(\.id))
      waiting.removeAll { ids.contains($0.id) }
    }
    return fulfilled
  }

  mutating func takeAll() -> [Waiter] {
    defer { waiting = [] }
    return waiting
  }
}
