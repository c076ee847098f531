extension CompletionScript {
  /// Only what every bash since version 4 has; bash-completion is not needed.
  var bash: [String] {
    let name = command.name
    var lines = [
      "# Completions of \(name) for bash: \(name) --completions bash", "_\(name)() {",
      "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} flags word command=",
      "  COMPREPLY=()",
    ]
    if !subcommands.isEmpty {
      lines += [
        "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do",
        "    case $word in \(subcommands.map { lastWord(of: $0) }.joined(separator: "|"))) command=$word; break ;; esac",
        "  done",
      ]
    }
    lines.append("  case $command in")
    for subcommand in subcommands {
      lines += ["  \(lastWord(of: subcommand)))"] + bashValues(of: subcommand) + ["    ;;"]
    }
    lines += ["  *)"] + bashValues(of: command) + ["    ;;", "  esac"]
    lines += ["  if [[ $current == -* ]]; then", "    COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))"]
    if !subcommands.isEmpty {
      let words = subcommands.map { lastWord(of: $0) }.joined(separator: " ")
      lines += ["  elif [[ -z $command ]]; then", "    COMPREPLY=($(compgen -W '\(words)' -- \"$current\"))"]
    }
    lines += ["  fi", "}", "complete -o bashdefault -o default -F _\(name) \(name)"]
    return lines
  }

  private func bashValues(of command: CommandDescription) -> [String] {
    let flags = shownFlags(of: command)
    var lines = [
      "    flags=\(quoted(flags.flatMap { words(of: $0) }.joined(separator: " ")))", "    case $previous in",
    ]
    for (value, action) in [
      (Value.directory, "compopt -o filenames; COMPREPLY=($(compgen -d -- \"$current\")); return"),
      (.file, "compopt -o filenames; COMPREPLY=($(compgen -f -- \"$current\")); return"),
      (
        .word(among: Shell.allCases.map(\.rawValue)),
        "COMPREPLY=($(compgen -W 'bash zsh fish' -- \"$current\")); return"
      ),
      (.anything, "compopt +o default; return"),
    ] {
      let names = flags.filter { self.value(of: $0) == value }.flatMap { words(of: $0) }
      if !names.isEmpty { lines.append("    \(names.joined(separator: "|"))) \(action) ;;") }
    }
    return lines + ["    esac"]
  }
}
