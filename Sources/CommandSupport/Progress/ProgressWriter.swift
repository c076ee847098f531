/// Decides when a ``ProgressLine`` is written, and erases it when something else has to be said. On a terminal the line
/// is redrawn in place, at most ten times a second; elsewhere a plain line comes at most every ten seconds.
///
/// Time is passed in, as time since any fixed moment, and text goes out through a closure: no clock and no descriptor
/// of its own. A value with one owner; use it from one thread, or under a lock.
package struct ProgressWriter: ~Copyable {
  private let isTerminal: Bool
  private let columns: () -> Int
  private let write: (String) -> Void
  private var lastWritten: Duration?
  private var isLineOpen = false

  /// - Parameters:
  ///   - isTerminal: whether what is written can be redrawn.
  ///   - columns: the width of the terminal now; asked before each drawing.
  ///   - write: takes the text away; called on the caller's thread.
  package init(isTerminal: Bool, columns: @escaping () -> Int, write: @escaping (String) -> Void) {
    self.isTerminal = isTerminal
    self.columns = columns
    self.write = write
  }

  private var interval: Duration { isTerminal ? .milliseconds(100) : .seconds(10) }

  /// Draws the state if it is time to. The first call in a log only starts the clock, so that short work stays silent there.
  package mutating func update(_ state: ProgressState, now: Duration) {
    guard let lastWritten else {
      self.lastWritten = now
      if isTerminal { draw(state) }
      return
    }
    guard now - lastWritten >= interval else { return }
    self.lastWritten = now
    draw(state)
  }

  /// Writes a line of its own, where a progress line may stand. The next update draws that again.
  package mutating func say(_ line: String) {
    erase()
    write(line + "\n")
  }

  /// Draws the state whatever the time and leaves it standing: the end of a piece of work.
  package mutating func finish(_ state: ProgressState) {
    guard isTerminal else { return }
    draw(state)
    write("\n")
    isLineOpen = false
    lastWritten = nil
  }

  /// Takes the line away.
  package mutating func erase() {
    guard isLineOpen else { return }
    write("\r\u{1B}[K")
    isLineOpen = false
    lastWritten = nil
  }

  private mutating func draw(_ state: ProgressState) {
    guard isTerminal else {
      write(ProgressLine.renderPlain(state) + "\n")
      return
    }
    // The last column stays free: a terminal may wrap when it is filled.
    write("\r\(ProgressLine.render(state, columns: max(1, columns() - 1)))\u{1B}[K")
    isLineOpen = true
  }
}
