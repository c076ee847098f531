internal import CommandSupport

/// The command: the first word chooses what is done with the others.
enum ChunkManifest {
  static let subcommands: [any Subcommand.Type] = [
    BuildCommand.self, ShowCommand.self, VerifyCommand.self, DiffCommand.self, KeygenCommand.self, SignCommand.self,
    MetalinkCommand.self, ExportStoreCommand.self, ServeCommand.self,
  ]

  static func run() -> ExitStatus {
    let console = Console(command: "chunkmanifest")
    do throws(UsageError) {
      var words = try CommandWords.ofThisProcess()[...]
      guard let name = words.first, !name.hasPrefix("-") else { return runAlone(Array(words), console) }
      words.removeFirst()
      guard let subcommand = subcommands.first(where: { $0.name == name }) else {
        let hint = Spelling.nearest(to: name, among: subcommands.map { $0.name })
        throw UsageError("no command \(SafeText.escape(name))", hint: hint.map { "did you mean \($0)?" })
      }
      return subcommand.begin(Array(words))
    } catch {
      return console.refuse(error)
    }
  }

  /// No flag here goes with a subcommand, so all that is left is to show something.
  private static func runAlone(_ words: [String], _ console: Console) -> ExitStatus {
    let below = subcommands.map { $0.description }
    switch table.begin(words, defaults: NoOptions(), subcommands: below, on: console) {
    case .end(let status): return status
    case .run:
      let names = subcommands.map { $0.name }.joined(separator: ", ")
      return console.refuse(UsageError("needs a command: \(names)"))
    }
  }

  struct NoOptions: Sendable {}

  static var table: FlagTable<NoOptions> {
    FlagTable(
      name: "chunkmanifest", summary: "describe files so that they can be fetched and verified chunk by chunk",
      usage: ["COMMAND [options] …", "COMMAND --help"],
      flags: CommonFlags.stops(group: "Options") + Flag.documents(group: "Options"),
      subcommands: subcommands.map { CommandDescription.Subcommand(name: $0.name, summary: $0.summary) })
  }
}

/// The flags every command has.
enum CommonFlags {
  static func stops<Options>(group: String) -> [Flag<Options>] {
    [
      .stop(.help, "help", short: "h", group: group, help: "show this and exit"),
      .stop(.version, "version", group: group, help: "show the version and exit"),
    ]
  }
}
