internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// One of the things `chunkget store` does: a table of flags and the work.
protocol StoreSubcommand: SendableMetatype {
  /// The word that chooses it.
  static var name: String { get }
  /// One line, what it is for.
  static var summary: String { get }
  /// What follows the name.
  static var usage: String { get }
  /// Its own flags, beside those of all.
  static var flags: [Flag<StoreOptions>] { get }
  static var notes: [String] { get }
  /// Those it can end with beside success, failure, wrong usage and a disk that fails.
  static var exitStatuses: [ExitStatus] { get }

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus
}

extension StoreSubcommand {
  static var flags: [Flag<StoreOptions>] { [] }
  static var notes: [String] { [] }
  static var exitStatuses: [ExitStatus] { [] }

  static func begin(_ words: [String]) async -> ExitStatus {
    let console = Console(command: "chunkget store \(name)")
    switch table.begin(words, defaults: StoreOptions(), on: console) {
    case .end(let status): return status
    case .run(let options, let operands):
      do throws(StoreFailure) {
        return try await run(StoreWork(options: options, operands: operands, console: console))
      } catch {
        if error.status == .usage { return console.refuse(UsageError(error.message)) }
        console.tell(error.message)
        return error.status
      }
    }
  }

  private static var table: FlagTable<StoreOptions> {
    let statuses = [ExitStatus.success, .failure, .usage, .disk] + exitStatuses
    return FlagTable(
      name: "chunkget store \(name)", summary: summary, usage: [usage], flags: flags + StoreOptions.common,
      notes: notes,
      exitStatuses: statuses.sorted { $0.code < $1.code })
  }
}

/// What the command line decided, of any of the commands.
struct StoreOptions: Sendable {
  var store = EnvironmentVariable.value(of: "CHUNKGET_STORE")
  var isDryRun = false
  var maximumSize: UInt64?
  var from: String?
  var output: String?
  var compresses = false

  static let common: [Flag<StoreOptions>] =
    [
      .value("store", named: "DIR", group: group, help: "the store is in DIR; CHUNKGET_STORE if not given") {
        (options, text) throws(UsageError) in options.store = text
      }
    ] + stops

  static let stops: [Flag<StoreOptions>] = [
    .stop(.help, "help", short: "h", group: group, help: "show this and exit"),
    .stop(.version, "version", short: "V", group: group, help: "show the version and exit"),
  ]

  static let group = "Options"
}

/// One run of a command.
struct StoreWork: Sendable {
  let options: StoreOptions
  let operands: [String]
  let console: Console

  /// The directory of the store.
  var path: String {
    get throws(StoreFailure) {
      guard let path = options.store, !path.isEmpty else {
        throw StoreFailure(.usage, "which store? give --store DIR, or set CHUNKGET_STORE")
      }
      return path
    }
  }

  func open(isMade: Bool = false) throws(StoreFailure) -> FileStore {
    let path = try path
    do throws(StoreError) {
      return try FileStore.open(path, isMade: isMade, compresses: options.compresses)
    } catch {
      let isWrongDirectory = error.code == .missing || error.code == .notUsable
      throw isWrongDirectory ? StoreFailure(.usage, SafeText.escape("\(error)")) : StoreFailure(error)
    }
  }

  /// The operands, each a file ID; at least one.
  func ids() throws(StoreFailure) -> [FileID] {
    guard !operands.isEmpty else { throw StoreFailure(.usage, "needs a file ID") }
    var ids: [FileID] = []
    for text in operands {
      guard let id = FileID(text) else {
        throw StoreFailure(.usage, "\(SafeText.escape(text)): not a file ID (chunks1- and 64 hex digits)")
      }
      ids.append(id)
    }
    return ids
  }

  /// Fails where operands mean nothing.
  func expectNoOperands() throws(StoreFailure) {
    if let operand = operands.first { throw StoreFailure(.usage, "\(SafeText.escape(operand)) means nothing here") }
  }

  /// Writes a line of results.
  func line(_ text: String) throws(StoreFailure) {
    do throws(Errno) {
      try console.output(text + "\n")
    } catch {
      throw StoreFailure(.disk, "standard output: \(error)")
    }
  }

  /// Does work that blocks, on a thread of its own.
  func block<Value: Sendable>(
    _ body: @escaping @Sendable () throws(StoreFailure) -> Value
  ) async throws(StoreFailure) -> Value {
    let result: Result<Value, StoreFailure>
    do throws(Errno) {
      result = try await DedicatedThread.run(name: "store") { Result { () throws(StoreFailure) in try body() } }
    } catch {
      throw StoreFailure(.failure, "no thread could be started: \(error)")
    }
    return try result.get()
  }
}
