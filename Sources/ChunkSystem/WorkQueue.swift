/// Elements that some threads put in and others wait for, first in, first out.
///
/// It has room for `limit` elements, and whoever puts in one more waits; so no stage of the data path can run away from the
/// next one.
package final class WorkQueue<Element: Sendable>: Sendable {
  private struct State: Sendable {
    /// A ring: `count` elements from `first` on.
    var slots: [Element?]
    var first = 0
    var count = 0
    var isClosed = false

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
    case end
  }

  private let state: Monitor<State>

  /// - Precondition: `limit` is at least one.
  package init(limit: Int) {
    precondition(limit > 0, "a queue needs room")
    state = Monitor(State(slots: Array(repeating: nil, count: limit)))
  }

  /// Adds an element at the end, after waiting for room.
  ///
  /// - Returns: Whether it was added: `false` when the queue is, or is meanwhile, closed.
  @discardableResult
  package func push(_ element: Element) -> Bool {
    let pushed: Bool? = state.wait { state in
      if state.isClosed { return false }
      if state.count == state.slots.count { return nil }
      state.append(element)
      return true
    }
    return pushed ?? false
  }

  /// Adds an element if there is room at once: for threads that must not block.
  package func tryPush(_ element: Element) -> Bool {
    state.change { state in
      if state.isClosed || state.count == state.slots.count { return false }
      state.append(element)
      return true
    }
  }

  /// Takes up to `limit` of what is there, and waits when that is nothing.
  ///
  /// - Returns: At least one element; none when the deadline has passed; `nil` when the queue is closed and empty, which
  ///   it will stay.
  package func pop(upTo limit: Int, until deadline: Instant? = nil) -> [Element]? {
    let popped: Popped? = state.wait(until: deadline) { state in
      if state.count == 0 { return state.isClosed ? .end : nil }
      var elements: [Element] = []
      elements.reserveCapacity(min(limit, state.count))
      while elements.count < limit, let element = state.removeFirst() {
        elements.append(element)
      }
      return .elements(elements)
    }
    return switch popped {
    case .elements(let elements): elements
    case .end: nil
    case nil: []
    }
  }

  /// Lets nothing more in. What is in can still be taken out.
  package func close() {
    state.change { $0.isClosed = true }
  }

  /// How many elements wait. By the time the caller looks, it may be another number.
  package var count: Int { state.read { $0.count } }
}
