internal import CommandSupport

/// One of the things `chunkmanifest` does: a table of flags and the work.
protocol Subcommand: SendableMetatype {
  associatedtype Options: Sendable

  /// The word that chooses it.
  static var name: String { get }
  /// One line, what it is for.
  static var summary: String { get }
  static var table: FlagTable<Options> { get }
  static var defaults: Options { get }

  /// Does the work. Everything that goes wrong has been told on the console when it returns.
  ///
  /// - Throws: A wrong use of the operands, which no single flag can find.
  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus
}

extension Subcommand {
  static var commandName: String { "chunkmanifest \(name)" }
  static var description: CommandDescription { table.command }

  static func begin(_ words: [String]) -> ExitStatus {
    let console = Console(command: commandName)
    switch table.begin(words, defaults: defaults, on: console) {
    case .end(let status): return status
    case .run(let options, let operands):
      do throws(UsageError) {
        return try run(options, operands, console)
      } catch {
        return console.refuse(error)
      }
    }
  }
}
