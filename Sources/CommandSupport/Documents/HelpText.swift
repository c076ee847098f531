/// The text of `--help`, made from a command's table. Pure: the same table and width give the same text.
package struct HelpText: Sendable {
  private let command: CommandDescription

  package init(_ command: CommandDescription) { self.command = command }

  /// Lines of at most `columns` columns where words allow it, ending with a line break.
  package func render(columns: Int) -> String {
    let width = min(max(columns, 40), 100)
    var sections = [wrap("\(command.name): \(command.summary)", width: width), usage(width: width)]
    if !command.subcommands.isEmpty {
      let rows = command.subcommands.map { (term: $0.name, text: $0.summary) }
      sections.append(["Commands:"] + list(rows, width: width))
    }
    let column = column(of: shownFlags.map(term), width: width)
    for group in groups {
      let rows = shownFlags.filter { $0.group == group }.map { (term: term(of: $0), text: text(of: $0)) }
      sections.append(["\(group):"] + list(rows, width: width, column: column))
    }
    sections += command.notes.map { wrap($0, width: width) }
    if !command.exitStatuses.isEmpty {
      let rows = command.exitStatuses.map { (term: "\($0.code)", text: $0.meaning) }
      sections.append(["Exit codes:"] + list(rows, width: width))
    }
    return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  private var shownFlags: [FlagDescription] { command.flags.filter { !$0.isHidden } }

  /// In the order in which the table first mentions them.
  private var groups: [String] {
    shownFlags.reduce(into: []) { groups, flag in
      if !groups.contains(flag.group) { groups.append(flag.group) }
    }
  }

  private func usage(width: Int) -> [String] {
    command.usage.enumerated().flatMap { position, form in
      wrap("\(position == 0 ? "Usage:" : "      ") \(command.name) \(form)", width: width, hanging: 9)
    }
  }

  private func term(of flag: FlagDescription) -> String {
    var names = flag.short.map { "-\($0)" } ?? "   "
    if let long = flag.long { names += "\(flag.short == nil ? " " : ", ")--\(long)" }
    if case .value(let valueName) = flag.kind { names += " \(valueName)" }
    return names
  }

  private func text(of flag: FlagDescription) -> String {
    flag.isRepeatable ? "\(flag.help) (repeatable)" : flag.help
  }

  /// Where the text beside these terms begins.
  private func column(of terms: [String], width: Int) -> Int {
    min(terms.map { TextWidth.columns(of: $0) }.max() ?? 0, width / 3) + 4
  }

  /// Terms on the left, text beside them; below them where the terms are long or the screen is narrow.
  private func list(_ rows: [(term: String, text: String)], width: Int, column: Int? = nil) -> [String] {
    let column = column ?? self.column(of: rows.map(\.term), width: width)
    return rows.flatMap { row -> [String] in
      let text = wrap(row.text, width: width - column)
      let indent = String(repeating: " ", count: column)
      if TextWidth.columns(of: row.term) + 4 > column { return ["  \(row.term)"] + text.map { indent + $0 } }
      let first = TextWidth.fit("  \(row.term)", toColumns: column) + (text.first ?? "")
      return [first] + text.dropFirst().map { indent + $0 }
    }
  }

  /// Breaks at spaces; a word that is wider than the line stands alone on one. The spaces it begins with are kept.
  private func wrap(_ text: String, width: Int, hanging: Int = 0) -> [String] {
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isFresh = true
    for word in text.split(separator: " ") {
      if !isFresh, TextWidth.columns(of: line) + 1 + TextWidth.columns(of: word) > width {
        lines.append(line)
        line = String(repeating: " ", count: hanging)
        isFresh = true
      }
      line += isFresh ? "\(word)" : " \(word)"
      isFresh = false
    }
    return lines + [line]
  }
}
