/// What a reader of the help, a completion script or a man page needs to know of one flag.
package struct FlagDescription: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Given or not given.
    case toggle
    /// Takes a value, named as in the help: `FILE`, `SIZE`.
    case value(String)
    /// Ends the parsing, as `--help` does.
    case stop(FlagStop)
  }

  package let long: String?
  package let short: Character?
  package let kind: Kind
  package let help: String
  /// The heading it stands under.
  package let group: String
  /// Each use adds a value. Of any other flag the last use counts.
  package let isRepeatable: Bool
  /// Accepted, but not shown: what fingers type from the habit of another tool.
  package let isHidden: Bool

  /// The name a message calls it by: the long one where there is one.
  package var name: String {
    if let long { return "--\(long)" }
    if let short { return "-\(short)" }
    return ""
  }

  package var takesValue: Bool {
    if case .value = kind { true } else { false }
  }
}

/// What a flag ends the parsing with: an answer of its own.
package enum FlagStop: Hashable, Sendable {
  case help, version, manPage
  case completions(Shell)
}

/// A flag and what it does to a command's options. Description and effect stand together, so that neither can be
/// forgotten.
package struct Flag<Options: Sendable>: Sendable {
  /// Called once for each use, in the order of the command line; the text is empty for a toggle. What it throws need
  /// not name the flag: the parser does.
  package typealias Effect = @Sendable (_ options: inout Options, _ text: String) throws(UsageError) -> Void

  package let description: FlagDescription
  let effect: Effect
  /// What a value makes of a flag that ends the parsing; nil for one that does not.
  let stop: (@Sendable (_ text: String) throws(UsageError) -> FlagStop)?

  private init(
    description: FlagDescription, stop: (@Sendable (_ text: String) throws(UsageError) -> FlagStop)? = nil,
    effect: @escaping Effect
  ) {
    self.description = description
    self.stop = stop
    self.effect = effect
  }

  /// A flag that is given or not given.
  package static func toggle(
    _ long: String?, short: Character? = nil, group: String, help: String,
    effect: @escaping @Sendable (inout Options) -> Void
  ) -> Flag {
    Flag(
      description: FlagDescription(
        long: long, short: short, kind: .toggle, help: help, group: group, isRepeatable: false, isHidden: false)
    ) { (options, _) throws(UsageError) in effect(&options) }
  }

  /// A flag with a value. The effect parses it, ``FlagValue`` has the usual forms.
  package static func value(
    _ long: String?, short: Character? = nil, named valueName: String, group: String, help: String,
    isRepeatable: Bool = false, isHidden: Bool = false, effect: @escaping Effect
  ) -> Flag {
    Flag(
      description: FlagDescription(
        long: long, short: short, kind: .value(valueName), help: help, group: group, isRepeatable: isRepeatable,
        isHidden: isHidden),
      effect: effect)
  }

  /// What fingers type from the habit of another tool, accepted because here it is so anyway (`curl -L -O`).
  package static func habit(_ long: String?, short: Character? = nil) -> Flag {
    Flag(
      description: FlagDescription(
        long: long, short: short, kind: .toggle, help: "", group: "", isRepeatable: false, isHidden: true)
    ) { (_, _) throws(UsageError) in }
  }

  /// A habitual flag whose value must be the one that changes nothing (`curl -C -`); with any other value it would
  /// mean something else, and the hint tells what to use.
  package static func habit(
    _ long: String?, short: Character? = nil, only harmless: String, hint: String
  ) -> Flag {
    .value(long, short: short, named: harmless, group: "", help: "", isHidden: true) {
      (_, text) throws(UsageError) in
      guard text == harmless else { throw UsageError("only '\(harmless)' is accepted here", hint: hint) }
    }
  }

  /// `--help` or `--version`.
  package static func stop(
    _ stop: FlagStop, _ long: String, short: Character? = nil, group: String, help: String, isHidden: Bool = false
  ) -> Flag {
    Flag(
      description: FlagDescription(
        long: long, short: short, kind: .stop(stop), help: help, group: group, isRepeatable: false, isHidden: isHidden)
    ) { (_, _) throws(UsageError) in }
  }

  /// `--completions SHELL`, and `--man-page` for whoever packages the command: both print what the table says.
  package static func documents(group: String) -> [Flag] {
    [
      Flag(
        description: FlagDescription(
          long: "completions", short: nil, kind: .value("SHELL"), help: "print completions for bash, zsh or fish",
          group: group, isRepeatable: false, isHidden: false),
        stop: { (text) throws(UsageError) in .completions(try FlagValue.word(text, of: Shell.self)) },
        effect: { (_, _) throws(UsageError) in }),
      .stop(.manPage, "man-page", group: group, help: "print the manual page", isHidden: true),
    ]
  }
}
