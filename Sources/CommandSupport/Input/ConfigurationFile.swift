internal import ChunkSystem

/// Flags that hold for every run of a command, by their long names, one a line:
///
///     # comment
///     connections 8
///     header = X-Team: images
///     require-verified
///
/// The value is what stands behind the name to the end of the line; quotes and `#` in it are part of it.
package struct ConfigurationFile: Sendable {
  package let path: String

  /// Bytes it may have at most.
  private static let longest = 1 << 20

  /// Where a user keeps the configuration of a command: `$XDG_CONFIG_HOME`, or else `~/.config`. nil without either.
  package static func ofUser(command: String) -> ConfigurationFile? {
    // What is not absolute is to be ignored, says the XDG specification.
    if let directory = EnvironmentVariable.value(of: "XDG_CONFIG_HOME"), directory.hasPrefix("/") {
      return ConfigurationFile(path: "\(directory)/\(command)/config")
    }
    guard let home = EnvironmentVariable.value(of: "HOME"), home.hasPrefix("/") else { return nil }
    return ConfigurationFile(path: "\(home)/.config/\(command)/config")
  }

  /// Does to the options what the file says; nothing when there is none.
  ///
  /// - Parameters:
  ///   - options: What holds otherwise.
  ///   - table: The flags there are.
  ///   - refused: Long names of flags that have no place in it.
  /// - Throws: What is wrong with a line, the file and the line's number in front.
  package func apply<Options>(
    to options: inout Options, _ table: FlagTable<Options>, refusing refused: Set<String>
  ) throws(UsageError) {
    guard let lines = try TextInput.lines(of: path, limit: Self.longest) else { return }
    for (position, line) in lines.enumerated() {
      let text = line.trimmingBlanks()
      if text.isEmpty || text.first == "#" { continue }
      do throws(UsageError) {
        try table.apply(text, to: &options, refusing: refused)
      } catch {
        throw UsageError("\(SafeText.escape(path)), line \(position + 1): \(error.message)", hint: error.hint)
      }
    }
  }
}

extension FlagTable {
  fileprivate func apply(_ line: Substring, to options: inout Options, refusing refused: Set<String>) throws(UsageError)
  {
    let text = line.hasPrefix("--") ? line.dropFirst(2) : line
    let name = text.prefix { $0 != "=" && $0 != " " && $0 != "\t" }
    let rest = text.dropFirst(name.count).trimmingBlanks()
    let value = rest.first == "=" ? rest.dropFirst().trimmingBlanks() : rest
    let typed = SafeText.escape(name)
    guard let flag = flag(long: name) else {
      let names = command.flags.filter { !$0.isHidden }.compactMap(\.long).filter { !refused.contains($0) }
      throw UsageError(
        "no option is called \(typed)",
        hint: Spelling.nearest(to: String(name), among: names).map { "did you mean \($0)?" })
    }
    guard !refused.contains(String(name)), flag.stop == nil else {
      throw UsageError("\(typed) is said on the command line only, it does not hold for every run")
    }
    switch flag.description.kind {
    case .stop: throw UsageError("\(typed) is said on the command line only")
    case .toggle where !value.isEmpty || rest.first == "=": throw UsageError("\(typed) takes no value")
    case .value(let valueName) where value.isEmpty: throw UsageError("\(typed) needs a value: \(valueName)")
    case .toggle, .value: break
    }
    do throws(UsageError) {
      try flag.effect(&options, String(value))
    } catch {
      throw error.said(of: value.isEmpty ? typed : "\(typed) \(SafeText.escape(value))")
    }
  }
}
