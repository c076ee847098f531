/// Elements that some threads put in and others wait for, first in, first out.
///
/// It has room for `limit` elements, and whoever puts in one more waits; so no stage of the data path can run away from the
/// next one.
///
/// Threads that take many elements at a time are woken sparingly: the first one as soon as there is anything, each further
/// one only when a batch has gathered for every one that is awake. And while elements keep coming, a thread that finds less
/// than a batch waits a moment for the rest of it. So an idle queue adds no delay, and under load few threads take many
/// elements each, which is cheaper for all of them.
package final class WorkQueue<Element: Sendable>: Sendable {
  private struct State: Sendable {
    /// A ring: `count` elements from `first` on.
    var slots: [Element?]
    var first = 0
    var count = 0
    var isClosed = false
    /// Threads that sleep until there is something, or until there is room.
    var emptyHanded = 0
    var crowdedOut = 0
    /// Threads that sleep until there is a batch.
    var gathering = 0
    var lastTaken: Instant?

    mutating func append(_ element: Element) {
      slots[(first + count) % slots.count] = element
      count += 1
    }

    mutating func removeFirst() -> Element? {
      guard count > 0 else { return nil }
      defer {
        slots[first] = nil
        first = (first + 1) % slots.count
        count -= 1
      }
      return slots[first]
    }
  }

  private enum Popped {
    case elements([Element])
    /// Less than a batch, and more may come in a moment.
    case tooFew
    case end
  }

  private let state: Monitor<State>
  /// nil when whoever waits is woken for every element.
  private let sharing: Sharing?

  private struct Sharing {
    let consumers: Int
    let batch: Int
    /// How long a thread waits for the rest of a batch, if one was taken as short a time ago.
    let patience: Duration
  }

  /// A queue whose every element wakes somebody.
  ///
  /// - Precondition: `limit` is at least one.
  package convenience init(limit: Int) {
    self.init(limit: limit, sharing: nil)
  }

  /// A queue for `consumers` threads, which take up to `batch` elements at a time until it is closed.
  ///
  /// - Parameters:
  ///   - limit: How many elements there is room for.
  ///   - consumers: How many threads take elements.
  ///   - batch: How many they take at a time.
  ///   - patience: How long a thread waits for the rest of a batch, if something was taken as short a time ago.
  /// - Precondition: All three numbers are at least one.
  package convenience init(limit: Int, consumers: Int, batch: Int, patience: Duration = .zero) {
    precondition(consumers > 0 && batch > 0, "somebody takes something")
    self.init(limit: limit, sharing: Sharing(consumers: consumers, batch: batch, patience: patience))
  }

  private init(limit: Int, sharing: Sharing?) {
    precondition(limit > 0, "a queue needs room")
    self.sharing = sharing
    state = Monitor(State(slots: Array(repeating: nil, count: limit)))
  }

  /// Adds an element at the end, after waiting for room.
  ///
  /// - Returns: Whether it was added: `false` when the queue is, or is meanwhile, closed.
  @discardableResult
  package func push(_ element: Element) -> Bool {
    var hasWaited = false
    let pushed: Bool? = state.waitToUpdate { state in
      if hasWaited { state.crowdedOut -= 1 }
      hasWaited = false
      if state.isClosed { return (false, .nobody) }
      if state.count == state.slots.count {
        state.crowdedOut += 1
        hasWaited = true
        return nil
      }
      state.append(element)
      return (true, wake(state))
    }
    return pushed ?? false
  }

  /// Adds an element if there is room at once: for threads that must not block.
  package func tryPush(_ element: Element) -> Bool {
    state.update { state in
      if state.isClosed || state.count == state.slots.count { return (false, .nobody) }
      state.append(element)
      return (true, wake(state))
    }
  }

  /// Whom the elements that are there concern, of those that wait for some.
  private func wake(_ state: borrowing State) -> Wake {
    if let sharing, state.gathering > 0, state.count >= sharing.batch { return .all }
    guard state.count > 0, state.emptyHanded > 0 else { return .nobody }
    if let sharing {
      let awake = max(0, sharing.consumers - state.emptyHanded)
      guard awake == 0 || state.count >= sharing.batch * awake else { return .nobody }
    }
    // Where some wait for room, only everybody is sure to include the right one.
    return state.crowdedOut > 0 ? .all : .one
  }

  /// Takes up to `limit` of what is there, and waits when that is nothing.
  ///
  /// - Returns: At least one element; none when the deadline has passed; `nil` when the queue is closed and empty, which
  ///   it will stay.
  package func pop(upTo limit: Int, until deadline: Instant? = nil) -> [Element]? {
    switch take(upTo: limit, until: deadline, mayGather: true) {
    case .elements(let elements): return elements
    case .end: return nil
    case nil: return []
    case .tooFew: break
    }
    gather()
    return switch take(upTo: limit, until: deadline, mayGather: false) {
    case .elements(let elements): elements
    case .end: nil
    case .tooFew, nil: []
    }
  }

  private func take(upTo limit: Int, until deadline: Instant?, mayGather: Bool) -> Popped? {
    var isWaiting = false
    let popped: Popped? = state.waitToUpdate(until: deadline) { state in
      if isWaiting { state.emptyHanded -= 1 }
      isWaiting = false
      if state.count == 0 {
        if state.isClosed { return (.end, .nobody) }
        state.emptyHanded += 1
        isWaiting = true
        return nil
      }
      if mayGather, isWorthGathering(state) { return (.tooFew, .nobody) }
      var elements: [Element] = []
      elements.reserveCapacity(min(limit, state.count))
      while elements.count < limit, let element = state.removeFirst() {
        elements.append(element)
      }
      if sharing != nil { state.lastTaken = Instant.now }
      return (.elements(elements), state.crowdedOut > 0 ? .all : wake(state))
    }
    if isWaiting {
      state.update { state in
        state.emptyHanded -= 1
        // A wake-up that came with the deadline was meant for somebody who still waits.
        return ((), wake(state))
      }
    }
    return popped
  }

  private func isWorthGathering(_ state: borrowing State) -> Bool {
    guard let sharing, let lastTaken = state.lastTaken, !state.isClosed, state.count < sharing.batch else {
      return false
    }
    return lastTaken.duration(to: Instant.now) < sharing.patience
  }

  /// Waits for the rest of a batch, as long as that is worth it.
  private func gather() {
    guard let sharing else { return }
    var isGathering = false
    let _: Void? = state.waitToUpdate(until: Instant.now.advanced(by: sharing.patience)) { state in
      if !isGathering { state.gathering += 1 }
      isGathering = true
      return state.isClosed || state.count >= sharing.batch ? ((), .nobody) : nil
    }
    state.update { state in
      state.gathering -= 1
      return ((), .nobody)
    }
  }

  /// Lets nothing more in. What is in can still be taken out.
  package func close() {
    state.update { state in
      state.isClosed = true
      return ((), .all)
    }
  }

  /// How many elements wait. By the time the caller looks, it may be another number.
  package var count: Int { state.read { $0.count } }

  /// How many threads wait for an element. By the time the caller looks, it may be another number.
  package var waiting: Int { state.read { $0.emptyHanded } }
}
