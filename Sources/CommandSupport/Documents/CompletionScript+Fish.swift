extension CompletionScript {
  var fish: [String] { fishLines(of: root, behind: []) }

  /// `path`: the words that have to stand there already.
  private func fishLines(of node: Node, behind path: [String]) -> [String] {
    var conditions = path.map { "__fish_seen_subcommand_from \($0)" }
    if !node.below.isEmpty {
      conditions.append("not __fish_seen_subcommand_from \(node.below.map(\.word).joined(separator: " "))")
    }
    let start = "complete -c \(name)" + (conditions.isEmpty ? "" : " -n '\(conditions.joined(separator: "; and "))'")
    return node.flags.map { "\(start) \(fishFlag($0))" }
      + node.below.map { "\(start) -a \($0.word) -d \(quoted($0.explanation, quote: "\\'"))" }
      + node.below.flatMap { fishLines(of: $0, behind: path + [$0.word]) }
  }

  private func fishFlag(_ flag: FlagDescription) -> String {
    var parts: [String] = []
    if let short = flag.short { parts.append("-s \(short)") }
    if let long = flag.long { parts.append("-l \(long)") }
    switch value(of: flag) {
    case nil: break
    case .file: parts.append("-r -F")
    case .directory: parts.append("-x -a '(__fish_complete_directories)'")
    case .shell: parts.append("-x -a '\(Self.shells)'")
    case .anything: parts.append("-x")
    }
    let help = flag.help.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "\\\\")
    return (parts + ["-d \(quoted(help, quote: "\\'"))"]).joined(separator: " ")
  }
}
