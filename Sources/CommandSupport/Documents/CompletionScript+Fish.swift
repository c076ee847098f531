extension CompletionScript {
  var fish: [String] {
    let name = command.name
    var lines = ["# Completions of \(name) for fish: \(name) --completions fish"]
    let alone = subcommands.isEmpty ? nil : "__fish_use_subcommand"
    lines += shownFlags(of: command).map { fishFlag($0, when: alone) }
    for subcommand in subcommands {
      let word = lastWord(of: subcommand)
      lines.append(
        "complete -c \(name) -n __fish_use_subcommand -f -a \(word) -d \(quoted(subcommand.summary, quote: "\\'"))")
      lines += shownFlags(of: subcommand).map { fishFlag($0, when: "__fish_seen_subcommand_from \(word)") }
    }
    return lines
  }

  private func fishFlag(_ flag: FlagDescription, when condition: String?) -> String {
    var parts = ["complete -c \(command.name)"]
    if let condition { parts.append("-n '\(condition)'") }
    if let short = flag.short { parts.append("-s \(short)") }
    if let long = flag.long { parts.append("-l \(long)") }
    switch value(of: flag) {
    case nil: break
    case .file: parts.append("-r -F")
    case .directory: parts.append("-x -a '(__fish_complete_directories)'")
    case .word(let words): parts.append("-x -a '\(words.joined(separator: " "))'")
    case .anything: parts.append("-x")
    }
    let help = flag.help.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
    return (parts + ["-d \(quoted(help, quote: "\\'"))"]).joined(separator: " ")
  }
}
