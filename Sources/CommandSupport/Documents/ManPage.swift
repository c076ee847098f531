/// The manual page of a command, for man(1), made from the same table as the help. Pure: the same tables give the same text.
package struct ManPage: Sendable {
  private let command: CommandDescription
  private let subcommands: [CommandDescription]

  /// Each of `subcommands` gets a section.
  package init(_ command: CommandDescription, subcommands: [CommandDescription] = []) {
    self.command = command
    self.subcommands = subcommands
  }

  /// Lines of man(7) macros.
  package func render() -> String {
    var lines = [
      ".TH \(command.name.uppercased()) 1 \"\" \"\(command.name) \(Release.version)\" \"User Commands\"",
      ".SH NAME", "\(Self.text(command.name)) \\- \(Self.text(summary))", ".SH SYNOPSIS",
    ]
    lines += synopsis(of: command)
    for note in command.notes where subcommands.isEmpty { lines += paragraph(note) }
    lines += options(of: command, heading: ".SH", under: "OPTIONS")
    if !subcommands.isEmpty { lines.append(".SH COMMANDS") }
    for subcommand in subcommands {
      lines += [".SS \(Self.text(subcommand.name))", Self.text(subcommand.summary).withFullStop, ".PP"]
      lines += synopsis(of: subcommand)
      lines += items(subcommand.flags.filter { !$0.isHidden })
      for note in subcommand.notes { lines += paragraph(note) }
    }
    lines.append(".SH EXIT STATUS")
    for status in ExitStatus.all { lines += [".TP", ".B \(status.code)", Self.text(status.meaning).withFullStop] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// As whatis(1) wants it: no capital, no full stop.
  private var summary: String {
    command.summary.prefix(1).lowercased() + command.summary.dropFirst().trimmingSuffix(".")
  }

  private func synopsis(of command: CommandDescription) -> [String] {
    command.usage.enumerated().flatMap { number, form in
      (number > 0 ? [".br"] : []) + [".B \(Self.text(command.name))", Self.text(form)]
    }
  }

  private func paragraph(_ text: String) -> [String] { [".PP", Self.text(text)] }

  private func options(of command: CommandDescription, heading: String, under title: String) -> [String] {
    let shown = command.flags.filter { !$0.isHidden }
    var groups: [String] = []
    for flag in shown where !groups.contains(flag.group) { groups.append(flag.group) }
    return ["\(heading) \(title)"]
      + groups.flatMap { group in [".SS \(Self.text(group))"] + items(shown.filter { $0.group == group }) }
  }

  private func items(_ flags: [FlagDescription]) -> [String] {
    flags.flatMap { flag in
      var term = [flag.short.map { "\\fB\\-\($0)\\fR" }, flag.long.map { "\\fB\\-\\-\(Self.text($0))\\fR" }]
        .compactMap { $0 }.joined(separator: ", ")
      if case .value(let name) = flag.kind { term += " \\fI\(Self.text(name))\\fR" }
      let help = Self.text(flag.isRepeatable ? "\(flag.help) (repeatable)" : flag.help)
      return [".TP", term, help.withFullStop]
    }
  }

  /// Text in which nothing is an instruction: hyphens as they are typed, and no line that begins with a dot.
  static func text(_ text: String) -> String {
    let escaped = text.map { character -> String in
      switch character {
      case "\\": "\\e"
      case "-": "\\-"
      default: String(character)
      }
    }.joined()
    return escaped.first == "." || escaped.first == "'" ? "\\&\(escaped)" : escaped
  }
}

extension String {
  fileprivate var withFullStop: String { hasSuffix(".") || isEmpty ? self : "\(self)." }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring { hasSuffix(suffix) ? dropLast(suffix.count) : self }
}
