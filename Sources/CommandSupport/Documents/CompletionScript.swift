/// What a shell needs to complete a command's words, made from the same tables as the help. Pure.
package struct CompletionScript: Sendable {
  /// A command, or a word that others begin with.
  struct Node: Sendable {
    /// As it is typed; of the first one, the name of the program.
    let word: String
    var summary: String
    var flags: [FlagDescription]
    var below: [Node] = []
  }

  let root: Node
  var name: String { root.word }

  /// The names of `subcommands` say where they stand: `chunkget store list` is below the word `store`.
  package init(_ command: CommandDescription, subcommands: [CommandDescription] = []) {
    var root = Node(word: command.name, summary: command.summary, flags: command.flags.filter { !$0.isHidden })
    for subcommand in subcommands {
      let path = subcommand.name.split(separator: " ").dropFirst().map(String.init)
      let flags = subcommand.flags.filter { !$0.isHidden }
      root.add(path[...], summary: subcommand.summary, flags: flags)
    }
    self.root = root
  }

  /// A script that the shell reads: from the folder where it looks for completions, or with `source`.
  package func render(for shell: Shell) -> String {
    let comment = "# Completions of \(name) for \(shell): \(name) --completions \(shell)"
    let lines =
      switch shell {
      case .bash: [comment] + bash
      // Its first line says what it is.
      case .zsh: ["#compdef \(name)", comment] + zsh
      case .fish: [comment] + fish
      }
    return lines.joined(separator: "\n") + "\n"
  }

  /// What a value can be completed with, by the name that the help gives it.
  enum Value: Hashable {
    case file, directory, shell, anything

    init(_ name: String) {
      let kinds = Set(name.split(separator: "|").map(String.init))
      self =
        if kinds.contains("DIR") {
          .directory
        } else if !kinds.isDisjoint(with: ["FILE", "FILE…", "PATH", "OUT", "KEY", "MANIFEST"]) {
          .file
        } else {
          name == "SHELL" ? .shell : .anything
        }
    }
  }

  static var shells: String { Shell.allCases.map(\.rawValue).joined(separator: " ") }

  func words(of flag: FlagDescription) -> [String] {
    [flag.short.map { "-\($0)" }, flag.long.map { "--\($0)" }].compactMap { $0 }
  }

  func value(of flag: FlagDescription) -> Value? {
    if case .value(let name) = flag.kind { Value(name) } else { nil }
  }

  /// In single quotes, inside of which the shell writes one as `quote`.
  func quoted(_ text: String, quote: String = "'\\''") -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: quote))'"
  }
}

extension CompletionScript.Node {
  fileprivate mutating func add(_ path: ArraySlice<String>, summary: String, flags: [FlagDescription]) {
    guard let word = path.first else {
      (self.summary, self.flags) = (summary, flags)
      return
    }
    let place =
      below.firstIndex { $0.word == word }
      ?? {
        below.append(Self(word: word, summary: "", flags: []))
        return below.count - 1
      }()
    below[place].add(path.dropFirst(), summary: summary, flags: flags)
  }

  /// What is said of it: its own summary, or the words that may follow.
  var explanation: String { summary.isEmpty ? below.map(\.word).joined(separator: ", ") : summary }
}
