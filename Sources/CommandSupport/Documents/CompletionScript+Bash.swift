extension CompletionScript {
  /// Only what every bash since version 4 has; bash-completion is not needed.
  var bash: [String] {
    [
      "_\(name)() {", "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}",
      "  local word path= flags= next=", "  COMPREPLY=()",
      "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do [[ $word == -* ]] || path+=\"$word \"; done",
      "  case $path in",
    ]
      + bashCases(of: root, path: "") + [
        "  esac", "  if [[ $current == -* ]]; then", "    COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))",
        "  else",
        "    COMPREPLY=($(compgen -W \"$next\" -- \"$current\"))", "  fi", "}",
        "complete -o bashdefault -o default -F _\(name) \(name)",
      ]
  }

  /// The longest path first, since the first pattern that fits counts.
  private func bashCases(of node: Node, path: String) -> [String] {
    var lines = node.below.flatMap { bashCases(of: $0, path: "\(path)\($0.word) ") }
    let flags = node.flags.flatMap { words(of: $0) }.joined(separator: " ")
    lines += ["  \(quoted(path))*)", "    flags=\(quoted(flags))"]
    if !node.below.isEmpty {
      let words = node.below.map(\.word).joined(separator: " ")
      lines.append("    if [[ $path == \(quoted(path)) ]]; then next=\(quoted(words)); fi")
    }
    let actions: [(Value, String)] = [
      (.directory, "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\")); return"),
      (.file, "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\")); return"),
      (.shell, "COMPREPLY=($(compgen -W '\(Self.shells)' -- \"$current\")); return"),
      (.anything, "compopt +o default; return"),
    ]
    lines.append("    case $previous in")
    for (value, action) in actions {
      let names = node.flags.filter { self.value(of: $0) == value }.flatMap { words(of: $0) }
      if !names.isEmpty { lines.append("    \(names.joined(separator: "|"))) \(action) ;;") }
    }
    return lines + ["    esac", "    ;;"]
  }
}
