extension CompletionScript {
  /// For a folder of `fpath`, as `_NAME`. Each word that others follow has a function of its own.
  var zsh: [String] { zshFunctions(of: root, named: "_\(name)") + ["_\(name) \"$@\""] }

  private func zshFunctions(of node: Node, named function: String) -> [String] {
    var lines = node.below.flatMap { zshFunctions(of: $0, named: "\(function)_\($0.word)") }
    lines.append("\(function)() {")
    if node.below.isEmpty {
      lines += ["  _arguments -s -S : \\"] + node.flags.map { zshFlag($0) } + ["    '*:file or URL:_files'"]
    } else {
      lines += ["  local state", "  local -a commands=("]
      lines += node.below.map { "    \(quoted("\($0.word):\($0.explanation)"))" }
      lines += ["  )", "  _arguments -s -S -C : \\"] + node.flags.map { zshFlag($0) }
      lines += ["    '1:command:{_describe command commands}' \\", "    '*::argument:->rest'"]
      lines += ["  [[ $state == rest ]] || return", "  case $words[1] in"]
      lines += node.below.map { "  \($0.word)) \(function)_\($0.word) ;;" }
      lines += ["  *) _files ;;", "  esac"]
    }
    return lines + ["}"]
  }

  private func zshFlag(_ flag: FlagDescription) -> String {
    let words = words(of: flag)
    let help = flag.help.map { "[]:\\".contains($0) ? "\\\($0)" : String($0) }.joined()
    let what = "[\(help)]\(zshValue(of: flag))"
    // Two names of one flag exclude each other, and stand in braces, which the shell expands outside of quotes only.
    guard words.count > 1 else { return "    \(quoted((flag.isRepeatable ? "*" : "") + words[0] + what)) \\" }
    let prefix = flag.isRepeatable ? "*" : "(\(words.joined(separator: " ")))"
    return "    \(quoted(prefix)){\(words.joined(separator: ","))}\(quoted(what)) \\"
  }

  private func zshValue(of flag: FlagDescription) -> String {
    guard case .value(let name) = flag.kind, let value = value(of: flag) else { return "" }
    return switch value {
    case .file: ":\(name):_files"
    case .directory: ":\(name):_files -/"
    case .shell: ":\(name):(\(Self.shells))"
    case .anything: ":\(name): "
    }
  }
}
