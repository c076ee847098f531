extension CompletionScript {
  /// For a folder of `fpath`, as `_NAME`.
  var zsh: [String] {
    let name = command.name
    var lines = ["#compdef \(name)", "# Completions of \(name) for zsh: \(name) --completions zsh", "_\(name)() {"]
    if subcommands.isEmpty {
      lines += ["  _arguments -s -S : \\"] + zshFlags(of: command) + ["    '*:file or URL:_files'"]
    } else {
      lines += [
        "  local state", "  local -a commands=(",
      ]
      lines += subcommands.map { "    \(quoted("\(lastWord(of: $0)):\($0.summary)"))" }
      lines += ["  )", "  _arguments -s -S -C : \\"]
      lines += zshFlags(of: command) + ["    '1:command:{_describe command commands}' \\", "    '*::argument:->rest'"]
      lines += ["  [[ $state == rest ]] || return", "  case $words[1] in"]
      for subcommand in subcommands {
        lines += ["  \(lastWord(of: subcommand)))", "    _arguments -s -S : \\"]
        lines += zshFlags(of: subcommand) + ["    '*:file:_files' ;;"]
      }
      lines.append("  esac")
    }
    return lines + ["}", "_\(name) \"$@\""]
  }

  private func zshFlags(of command: CommandDescription) -> [String] {
    shownFlags(of: command).map { flag in
      let words = words(of: flag)
      let help = flag.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
      let what = "[\(help)]\(zshValue(of: flag))"
      // Two names of one flag exclude each other, and stand in braces, which the shell expands outside of quotes only.
      let names = words.count == 1 ? words[0] : "{\(words.joined(separator: ","))}"
      let prefix = flag.isRepeatable ? "*" : words.count == 1 ? "" : "(\(words.joined(separator: " ")))"
      return words.count == 1
        ? "    \(quoted(prefix + names + what)) \\" : "    \(quoted(prefix))\(names)\(quoted(what)) \\"
    }
  }

  private func zshValue(of flag: FlagDescription) -> String {
    guard case .value(let name) = flag.kind, let value = value(of: flag) else { return "" }
    return switch value {
    case .file: ":\(name):_files"
    case .directory: ":\(name):_files -/"
    case .word(let words): ":\(name):(\(words.joined(separator: " ")))"
    case .anything: ":\(name): "
    }
  }
}
