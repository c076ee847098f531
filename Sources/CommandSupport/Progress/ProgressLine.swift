/// Draws a ``ProgressState`` as one line of text. Pure.
package enum ProgressLine {
  /// For a terminal: `name  42% [=====>      ]  1.05 GiB of 2.50 GiB  12.3 MiB/s  2:01`. Never wider than `columns`, which would
  /// wrap and could not be redrawn; what does not fit goes, the least needed first: the note, the bar, the
  /// label, the total, the rate.
  package static func render(
    _ state: ProgressState, columns: Int, style: TerminalStyle = TerminalStyle()
  ) -> String {
    let label = SafeText.escape(state.label)
    let percent = state.percent.map { leftPadded("\($0)%", to: 4) }
    let done = "\(ByteSize(bytes: state.done))"
    let amount = state.total.map { "\(done) of \(ByteSize(bytes: $0))" } ?? done
    let rate = state.rate.map { ByteSize.rate(bytesPerSecond: $0) }
    let remaining = state.remaining.map(DurationText.clock)
    let note = state.note.map { SafeText.escape($0) }

    let forms: [[String?]] = [
      [percent, amount, rate, remaining, note], [percent, amount, rate, remaining], [percent, done, rate, remaining],
      [percent, rate, remaining], [percent, remaining],
    ]
    for form in forms {
      let facts = form.compactMap { $0 }
      let room = columns - TextWidth.columns(of: facts.joined(separator: "  "))
      guard room >= minimumLabel + 2 else { continue }
      return line(label: label, facts: facts, fraction: state.fraction, hasPercent: percent != nil, room: room, style)
    }
    return TextWidth.truncate(percent ?? done, toColumns: columns)
  }

  /// For a log: one sentence that makes sense alone.
  package static func renderPlain(_ state: ProgressState) -> String {
    let done = "\(ByteSize(bytes: state.done))"
    var facts = [state.total.map { "\(done) of \(ByteSize(bytes: $0))" } ?? done]
    if let percent = state.percent { facts[0] += " (\(percent)%)" }
    if let rate = state.rate { facts.append(ByteSize.rate(bytesPerSecond: rate)) }
    if let remaining = state.remaining { facts.append("\(DurationText.clock(remaining)) left") }
    if let note = state.note { facts.append(SafeText.escape(note)) }
    return "\(SafeText.escape(state.label)): \(facts.joined(separator: ", "))"
  }

  private static let minimumLabel = 8
  private static let maximumLabel = 32
  private static let minimumBar = 8
  private static let maximumBar = 40

  /// `room` is what the facts leave for the label, the bar, and the gaps around them.
  private static func line(
    label: String, facts: [String], fraction: Double?, hasPercent: Bool, room: Int, _ style: TerminalStyle
  ) -> String {
    let wanted = min(TextWidth.columns(of: label), maximumLabel)
    let forBar = room - 2 - min(wanted, room / 2) - 2
    guard let fraction, hasPercent, forBar >= minimumBar else {
      return "\(TextWidth.truncate(label, toColumns: room - 2))  \(facts.joined(separator: "  "))"
    }
    let width = min(forBar, maximumBar)
    let name = TextWidth.truncate(label, toColumns: min(wanted, room - 2 - 2 - width))
    return ([name, facts[0], bar(fraction, width: width, style)] + facts.dropFirst()).joined(separator: "  ")
  }

  /// `[====>    ]` or `[████▌    ]`, brackets included in the width. Full only when everything is done.
  static func bar(_ fraction: Double, width: Int, _ style: TerminalStyle = TerminalStyle()) -> String {
    let cells = max(0, width - 2)
    if style.usesBlocks { return "[\(style.colored(blocks(fraction, cells), .green))\(blanks(fraction, cells))]" }
    let full = min(cells, Int(fraction * Double(cells)))
    let head = full < cells ? ">" : ""
    let empty = String(repeating: " ", count: max(0, cells - full - 1))
    return "[\(String(repeating: "=", count: full))\(head)\(empty)]"
  }

  /// Eighths of a cell, as far as it is filled.
  private static func blocks(_ fraction: Double, _ cells: Int) -> String {
    let eighths = min(cells * 8, Int(fraction * Double(cells * 8)))
    let part = eighths % 8 == 0 ? "" : String(Array("▏▎▍▌▋▊▉")[eighths % 8 - 1])
    return String(repeating: "█", count: eighths / 8) + part
  }

  private static func blanks(_ fraction: Double, _ cells: Int) -> String {
    String(repeating: " ", count: cells - blocks(fraction, cells).count)
  }

  private static func leftPadded(_ text: String, to width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }
}
