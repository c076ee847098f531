/// What a shell needs to complete a command's words, made from the same table as the help. Pure.
package struct CompletionScript: Sendable {
  let command: CommandDescription
  let subcommands: [CommandDescription]

  /// Of `subcommands` one is the first word.
  package init(_ command: CommandDescription, subcommands: [CommandDescription] = []) {
    self.command = command
    self.subcommands = subcommands
  }

  /// A script that the shell reads: from the folder where it looks for completions, or with `source`.
  package func render(for shell: Shell) -> String {
    let lines =
      switch shell {
      case .bash: bash
      case .zsh: zsh
      case .fish: fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What a value can be completed with, by the name that the help gives it.
  enum Value: Hashable {
    case file, directory
    case word(among: [String])
    case anything

    init(_ name: String) {
      let kinds = Set(name.split(separator: "|").map(String.init))
      self =
        switch name {
        case "SHELL": .word(among: Shell.allCases.map(\.rawValue))
        case _ where kinds.contains("DIR"): .directory
        case _ where !kinds.isDisjoint(with: ["FILE", "PATH", "OUT", "KEY", "MANIFEST"]): .file
        default: .anything
        }
    }
  }

  func shownFlags(of command: CommandDescription) -> [FlagDescription] { command.flags.filter { !$0.isHidden } }

  func words(of flag: FlagDescription) -> [String] {
    [flag.short.map { "-\($0)" }, flag.long.map { "--\($0)" }].compactMap { $0 }
  }

  func value(of flag: FlagDescription) -> Value? {
    if case .value(let name) = flag.kind { Value(name) } else { nil }
  }

  /// The last word of a command's name.
  func lastWord(of command: CommandDescription) -> String {
    command.name.split(separator: " ").last.map(String.init) ?? command.name
  }

  /// In single quotes, as every shell here reads it.
  func quoted(_ text: String, quote: String = "'\\''") -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote))'"
  }
}
