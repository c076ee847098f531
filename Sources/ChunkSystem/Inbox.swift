/// Elements for one thread that sleeps elsewhere, in a call that something of its own wakes it from.
///
/// Posting never waits. It is for commands, whose number is bounded by who gives them, and not for data.
package final class Inbox<Element: Sendable>: Sendable {
  private let elements = Lock<[Element]>([])

  package init() {}

  /// Adds an element.
  ///
  /// - Returns: Whether the inbox was empty: then its reader has to be woken, and otherwise it has been.
  package func post(_ element: Element) -> Bool {
    elements.withLock { elements in
      elements.append(element)
      return elements.count == 1
    }
  }

  /// Takes everything, in the order it came.
  package func drain() -> [Element] {
    elements.withLock { elements in
      defer { elements = [] }
      return elements
    }
  }
}
