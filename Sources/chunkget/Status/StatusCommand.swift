internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// `chunkget status NAME.part`: what a download has that was broken off, or that another process runs.
enum StatusCommand {
  static let word = "status"

  /// There is nothing to decide.
  struct Options: Sendable {}

  static let table = FlagTable<Options>(
    name: "chunkget status", summary: "tell what is here of a file whose download is not complete",
    usage: ["[options] NAME.part…"],
    flags: [
      .stop(.help, "help", short: "h", group: "Options", help: "this text"),
      .stop(.version, "version", short: "V", group: "Options", help: "the version"),
    ],
    notes: [
      "What is in NAME.part is hashed and compared with NAME.part.chunks, the part of the manifest that has come; NAME may be given "
        + "for NAME.part. Nothing is changed, and a download that runs is not disturbed.",
      "The exit code is 0 when nobody is writing it, 8 when a download is running, and 3 when there is no manifest beside it to "
        + "compare it with. Of several files the first code that is not 0 counts.",
    ],
    exitStatuses: [.success, .failure, .usage, .notTrusted, .disk, .locked])

  /// Runs the command on the words that follow `status`.
  static func run(_ words: [String]) async -> ExitStatus {
    Signal.ignoreBrokenPipes()
    let console = Console(command: table.command.name)
    switch table.begin(words, defaults: Options(), on: console) {
    case .end(let status): return status
    case .run(_, let paths):
      guard !paths.isEmpty else { return console.refuse(UsageError("no partial file given")) }
      var worst = ExitStatus.success
      for path in paths {
        let status = await show(path, console)
        if worst == .success { worst = status }
      }
      return worst
    }
  }

  private static func show(_ path: String, _ console: Console) async -> ExitStatus {
    do {
      let status = try await DedicatedThread.run(name: "status") {
        Result { () throws(TransferError) in try PartialStatus(of: path) }
      }.get()
      let stream = StandardStream.output
      let text = StatusText(status).lines(columns: stream.columns ?? 80, style: TerminalStyle.suiting(stream))
      try console.output(text.joined(separator: "\n") + "\n")
      return status.isRunning ? .locked : .success
    } catch let error as TransferError {
      console.tell(SafeText.escape(error.message))
      return error.code == .invalidRequest ? .failure : ExitStatus(error.code)
    } catch {
      console.tell("\(error)")
      return .failure
    }
  }
}
