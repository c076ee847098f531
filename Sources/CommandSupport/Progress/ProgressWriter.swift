/// Decides when progress is written, and takes it away when something else has to be said. On a terminal its lines, one or
/// several, are redrawn in place, at most ten times a second; elsewhere plain lines come at most every ten seconds.
///
/// Time is passed in, as time since any fixed moment, and text goes out through a closure: no clock and no descriptor
/// of its own. A value with one owner; use it from one thread, or under a lock.
package struct ProgressWriter: ~Copyable {
  private let isTerminal: Bool
  private let style: TerminalStyle
  private let size: () -> (columns: Int, rows: Int)
  private let write: (String) -> Void
  private var lastWritten: Duration?
  /// How wide the lines are that stand there, from the first to the one the cursor is in.
  private var openLines: [Int] = []

  /// - Parameters:
  ///   - isTerminal: whether what is written can be redrawn.
  ///   - style: with what it is drawn.
  ///   - size: the size of the terminal now; asked before each drawing.
  ///   - write: takes the text away; called on the caller's thread. Each drawing is one text.
  package init(
    isTerminal: Bool, style: TerminalStyle = TerminalStyle(), size: @escaping () -> (columns: Int, rows: Int),
    write: @escaping (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.style = style
    self.size = size
    self.write = write
  }

  private var interval: Duration { isTerminal ? .milliseconds(100) : .seconds(10) }

  /// Whether something would be drawn at this time.
  package func isDue(now: Duration) -> Bool {
    guard let lastWritten else { return isTerminal }
    return now - lastWritten >= interval
  }

  /// Draws one state; see ``update(_:details:now:)``.
  package mutating func update(_ state: ProgressState, now: Duration) { update([state], now: now) }

  /// Draws what is under way, a line each, if it is time to. The first call in a log only starts the clock, so that short work
  /// stays silent there.
  ///
  /// - Parameters:
  ///   - states: What is under way.
  ///   - details: Lines to stand below on a terminal, for so many columns; none may be longer.
  ///   - now: The time.
  package mutating func update(
    _ states: [ProgressState], details: (_ columns: Int) -> [String] = { _ in [] }, now: Duration
  ) {
    let isDue = isDue(now: now)
    if lastWritten == nil || isDue { lastWritten = now }
    guard isDue else { return }
    if isTerminal {
      draw(states, details)
    } else {
      for state in states { write(ProgressLine.renderPlain(state) + "\n") }
    }
  }

  /// Writes a line of its own, where progress may stand. The next update draws that again.
  package mutating func say(_ line: String) {
    write(erasure() + line + "\n")
  }

  /// Draws the state whatever the time and leaves it standing: the end of a piece of work.
  package mutating func finish(_ state: ProgressState) {
    guard isTerminal else { return }
    draw([state]) { _ in [] }
    write("\n")
    openLines = []
    lastWritten = nil
  }

  /// Takes the lines away.
  package mutating func erase() {
    let erasure = erasure()
    if !erasure.isEmpty { write(erasure) }
  }

  private mutating func erasure() -> String {
    guard !openLines.isEmpty else { return "" }
    let rows = rowsAbove(columns: size().columns)
    openLines = []
    lastWritten = nil
    return rows == 0 ? "\r\u{1B}[K" : "\(toTheTop(rows))\u{1B}[J"
  }

  private mutating func draw(_ states: [ProgressState], _ details: (Int) -> [String]) {
    let (columns, rows) = size()
    // The last column stays free: a terminal may wrap when it is filled.
    let room = max(1, columns - 1)
    let all = states.map { ProgressLine.render($0, columns: room, style: style) } + details(room)
    // What has scrolled away cannot be drawn over.
    let lines = all.prefix(max(1, rows - 1))
    let start = openLines.isEmpty ? "\r" : toTheTop(rowsAbove(columns: columns))
    let rest = openLines.count > lines.count ? "\u{1B}[J" : ""
    write(start + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[K" + rest)
    openLines = lines.map { TextWidth.columns(ofColored: $0) }
  }

  /// Rows from the first line to the cursor. Where the terminal has become narrower, lines have been wrapped.
  private func rowsAbove(columns: Int) -> Int {
    openLines.reduce(-1) { $0 + max(1, ($1 + columns - 1) / max(1, columns)) }
  }

  private func toTheTop(_ rows: Int) -> String { rows > 0 ? "\r\u{1B}[\(rows)A" : "\r" }
}
