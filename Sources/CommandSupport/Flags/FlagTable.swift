/// Everything about a command that can be told without running it. Help comes from it; completions and man pages can.
package struct CommandDescription: Hashable, Sendable {
  /// As it is typed: `chunkmanifest build`.
  package let name: String
  /// One line, what it is for.
  package let summary: String
  /// What follows the name, one form each: `[options] FILE…`.
  package let usage: [String]
  package let flags: [FlagDescription]
  /// Names and summaries of the commands below this one.
  package let subcommands: [Subcommand]
  /// Paragraphs after the flags.
  package let notes: [String]
  /// The exit codes this command can end with, in order.
  package let exitStatuses: [ExitStatus]

  package struct Subcommand: Hashable, Sendable {
    package let name: String
    package let summary: String

    package init(name: String, summary: String) {
      self.name = name
      self.summary = summary
    }
  }
}

/// The one declarative table of a command: its flags with their effect on `Options`, and what is said about it.
package struct FlagTable<Options: Sendable>: Sendable {
  package let command: CommandDescription
  let flags: [Flag<Options>]

  /// Two flags of one name are a mistake of the programmer and trap.
  package init(
    name: String, summary: String, usage: [String], flags: [Flag<Options>],
    subcommands: [CommandDescription.Subcommand] = [], notes: [String] = [],
    exitStatuses: [ExitStatus] = ExitStatus.all
  ) {
    let longs = flags.compactMap(\.description.long)
    let shorts = flags.compactMap(\.description.short)
    precondition(Set(longs).count == longs.count, "two flags of one long name")
    precondition(Set(shorts).count == shorts.count, "two flags of one letter")
    self.flags = flags
    command = CommandDescription(
      name: name, summary: summary, usage: usage, flags: flags.map(\.description), subcommands: subcommands,
      notes: notes, exitStatuses: exitStatuses)
  }

  func flag(long: some StringProtocol) -> Flag<Options>? {
    flags.first { $0.description.long.map { $0 == long } ?? false }
  }
  func flag(short: Character) -> Flag<Options>? { flags.first { $0.description.short == short } }
}
