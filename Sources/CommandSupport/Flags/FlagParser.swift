/// What a command line asks for.
package enum Invocation<Options: Sendable>: Sendable {
  /// Do the work, on the words that are not flags.
  case run(Options, operands: [String])
  case stop(FlagStop)
}

/// Reads a command line against a ``FlagTable``, the way `getopt_long` does: `-x4`, `-x 4`, `-qx4`, `--long=value`,
/// `--long value`; flags and operands in any order; `--` ends the flags and `-` is an operand. Long names are not
/// abbreviated, so that a new flag never changes what an old script means.
package struct FlagParser<Options: Sendable>: Sendable {
  private let table: FlagTable<Options>

  package init(_ table: FlagTable<Options>) { self.table = table }

  /// Effects are applied to `defaults` in the order of the words. The words do not include the command's name.
  package func parse(_ words: [String], defaults: Options) throws(UsageError) -> Invocation<Options> {
    var options = defaults
    var operands: [String] = []
    var rest = words[...]
    while let word = rest.popFirst() {
      if word == "--" {
        operands += rest
        break
      }
      let stop: FlagStop?
      if word.hasPrefix("--") {
        stop = try parseLong(word, &rest, &options)
      } else if word.hasPrefix("-"), word != "-" {
        stop = try parseShorts(word, &rest, &options)
      } else {
        operands.append(word)
        continue
      }
      if let stop { return .stop(stop) }
    }
    return .run(options, operands: operands)
  }

  private func parseLong(
    _ word: String, _ rest: inout ArraySlice<String>, _ options: inout Options
  ) throws(UsageError) -> FlagStop? {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    let attached = parts.count == 2 ? String(parts[1]) : nil
    guard let flag = table.flag(long: name) else { throw unknown("--\(name)") }
    return try apply(flag, spelling: "--\(name)", attached: attached, &rest, &options)
  }

  private func parseShorts(
    _ word: String, _ rest: inout ArraySlice<String>, _ options: inout Options
  ) throws(UsageError) -> FlagStop? {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      guard let flag = table.flag(short: letter) else {
        throw unknown(word, letter: letter)
      }
      // What follows a letter that takes a value is its value: `-x4`.
      let attached = flag.description.takesValue && !letters.isEmpty ? String(letters) : nil
      if attached != nil { letters = letters[letters.endIndex...] }
      if let stop = try apply(flag, spelling: "-\(letter)", attached: attached, &rest, &options) { return stop }
    }
    return nil
  }

  private func apply(
    _ flag: Flag<Options>, spelling: String, attached: String?, _ rest: inout ArraySlice<String>,
    _ options: inout Options
  ) throws(UsageError) -> FlagStop? {
    switch flag.description.kind {
    case .value(let valueName):
      guard let text = attached ?? rest.popFirst() else { throw UsageError("\(spelling) needs a value: \(valueName)") }
      do throws(UsageError) {
        if let stop = flag.stop { return try stop(text) }
        try flag.effect(&options, text)
      } catch {
        throw error.said(of: "\(spelling) \(SafeText.escape(text))")
      }
      return nil
    case .toggle, .stop:
      if attached != nil { throw UsageError("\(spelling) takes no value") }
      try flag.effect(&options, "")
      if case .stop(let stop) = flag.description.kind { return stop }
      return nil
    }
  }

  private func unknown(_ word: String, letter: Character? = nil) -> UsageError {
    let typed = SafeText.escape(word)
    let names = table.command.flags.filter { !$0.isHidden }.compactMap(\.long)
    // `-retry` is read as a bundle of letters, but was meant as a long flag.
    let guess = word.drop { $0 == "-" }.prefix { $0 != "=" }
    let hint =
      guess.count > 1 ? Spelling.nearest(to: String(guess), among: names).map { "did you mean --\($0)?" } : nil
    if let letter, word.count > 2, hint == nil {
      return UsageError("no option -\(SafeText.escape(String(letter))) in \(typed)")
    }
    return UsageError("no option \(typed)", hint: hint)
  }
}
