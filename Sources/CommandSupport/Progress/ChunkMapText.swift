/// A part of a file, as far as it is here.
package enum MapCell: Hashable, Sendable {
  case here, partly, asked, missing
}

/// Draws which parts of a file are here. Pure.
package enum ChunkMapText {
  /// Lines of characters, each of which stands for equally many cells, from the front of the file to its end; never more than `rows`
  /// lines of `columns`, and never more characters than cells.
  package static func render(
    _ cells: [MapCell], columns: Int, rows: Int, style: TerminalStyle = TerminalStyle()
  ) -> [String] {
    guard !cells.isEmpty, columns > 0, rows > 0 else { return [] }
    let count = min(cells.count, columns * rows)
    let states = (0..<count).map { place in
      sum(cells[place * cells.count / count..<(place + 1) * cells.count / count])
    }
    return stride(from: 0, to: count, by: columns).map { line(states[$0..<min($0 + columns, count)], style) }
  }

  /// What the characters stand for.
  package static func legend(_ style: TerminalStyle) -> String {
    let words: [(MapCell, String)] = [
      (.here, "here"), (.partly, "partly"), (.asked, "asked for"), (.missing, "missing"),
    ]
    return words.map { "\(line([$0.0], style)) \($0.1)" }.joined(separator: "  ")
  }

  /// Several cells as one.
  private static func sum(_ cells: ArraySlice<MapCell>) -> MapCell {
    if cells.allSatisfy({ $0 == .here }) { return .here }
    if cells.contains(where: { $0 == .asked }) { return .asked }
    return cells.contains { $0 != .missing } ? .partly : .missing
  }

  private static func line(_ states: ArraySlice<MapCell>, _ style: TerminalStyle) -> String {
    var line = ""
    var rest = states
    while let state = rest.first {
      let run = rest.prefix { $0 == state }
      rest = rest.dropFirst(run.count)
      line += style.colored(String(repeating: symbol(state, style), count: run.count), color(state))
    }
    return line
  }

  private static func symbol(_ state: MapCell, _ style: TerminalStyle) -> Character {
    switch state {
    case .here: style.usesBlocks ? "█" : "#"
    case .partly: style.usesBlocks ? "▓" : "+"
    case .asked: style.usesBlocks ? "▒" : ">"
    case .missing: style.usesBlocks ? "░" : "."
    }
  }

  private static func color(_ state: MapCell) -> TerminalStyle.Color {
    switch state {
    case .here, .partly: .green
    case .asked: .yellow
    case .missing: .faint
    }
  }
}
