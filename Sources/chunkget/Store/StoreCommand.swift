internal import ChunkSystem
internal import CommandSupport

/// `chunkget store`: what there is to do about a store beside downloading into it. The next word chooses.
enum StoreCommand {
  static let word = "store"

  static let subcommands: [any StoreSubcommand.Type] = [
    StoreListCommand.self, StoreStatCommand.self, StoreAddCommand.self, StoreExportCommand.self,
    StoreVerifyCommand.self,
    StoreRepairCommand.self, StorePruneCommand.self, StorePinCommand.self, StoreUnpinCommand.self,
  ]

  /// Runs the command that the words choose: those that follow `store`.
  static func run(_ words: [String]) async -> ExitStatus {
    Signal.ignoreBrokenPipes()
    let console = Console(command: table.command.name)
    guard let name = words.first, !name.hasPrefix("-") else {
      switch table.begin(words, defaults: StoreOptions(), on: console) {
      case .end(let status): return status
      case .run:
        return console.refuse(UsageError("needs a command: \(subcommands.map { $0.name }.joined(separator: ", "))"))
      }
    }
    guard let subcommand = subcommands.first(where: { $0.name == name }) else {
      let hint = Spelling.nearest(to: name, among: subcommands.map { $0.name })
      return console.refuse(
        UsageError("no command \(SafeText.escape(name))", hint: hint.map { "did you mean \($0)?" }))
    }
    return await subcommand.begin(Array(words.dropFirst()))
  }

  private static var table: FlagTable<StoreOptions> {
    FlagTable(
      name: "chunkget store", summary: "look after a directory of chunks that downloads share",
      usage: ["COMMAND [options] …", "COMMAND --help"], flags: StoreOptions.stops,
      subcommands: subcommands.map { CommandDescription.Subcommand(name: $0.name, summary: $0.summary) },
      notes: [
        "The store is the one in the directory that --store names, else that of CHUNKGET_STORE. All of this may be done, and "
          + "may be killed, while downloads run."
      ],
      exitStatuses: [.success, .usage])
  }
}
