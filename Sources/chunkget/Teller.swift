internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// Tells people, or programs, what a download does: a line that is redrawn, JSON events, or nothing but errors.
final class Teller: Sendable {
  private struct State: ~Copyable {
    var name = ""
    var writer: ProgressWriter
  }

  private let kind: GetOptions.ProgressKind
  private let isVerbose: Bool
  private let started = Instant.now
  private let state: Lock<State>

  init(options: GetOptions) {
    kind = options.progress
    isVerbose = options.isVerbose
    let stream = StandardStream.error
    state = Lock(
      State(
        writer: ProgressWriter(
          isTerminal: stream.isTerminal, columns: { stream.columns ?? 80 }, write: { Console.chunkget.writeError($0) }))
    )
  }

  func began(name: String) {
    state.withLock { $0.name = name }
    if kind == .json { event("start", [("output", .string(name))]) }
  }

  func notice(_ text: String) {
    switch kind {
    case .json: event("notice", [("message", .string(text))])
    case .bar: say(text)
    case .none: break
    }
  }

  func progress(_ progress: TransferProgress) {
    switch kind {
    case .none: break
    case .json: event("progress", Self.members(of: progress))
    case .bar:
      state.withLock { state in
        let shown = Self.shown(progress, name: state.name)
        state.writer.update(shown, now: started.duration(to: Instant.now))
      }
    }
  }

  func done(_ report: TransferReport) {
    switch kind {
    case .none: break
    case .json: event("done", Self.members(of: report))
    case .bar:
      state.withLock { state in
        state.writer.finish(
          ProgressState(label: state.name, done: report.length, total: report.length, note: Self.trust(report.trust)))
        state.writer.say(Self.summary(report))
      }
      if isVerbose { for source in report.sources { say(Self.line(source)) } }
    }
  }

  func failed(_ message: String, status: ExitStatus) {
    if kind == .json {
      event(
        "error",
        [
          ("status", .signed(Int64(status.code))), ("kind", .string(status.name)), ("message", .string(message)),
        ])
    } else {
      say(message)
    }
  }

  private func say(_ text: String) {
    state.withLock { $0.writer.say("chunkget: \(SafeText.escape(text))") }
  }

  private func event(_ name: String, _ members: [(name: String, value: JSONLine)]) {
    let line = JSONLine.object([("event", .string(name))] + members).text + "\n"
    state.withLock { _ in Console.chunkget.writeError(line) }
  }
}

// MARK: What is said

extension Teller {
  private static func shown(_ progress: TransferProgress, name: String) -> ProgressState {
    let note =
      switch progress.phase {
      case .manifest: "looking for the manifest"
      case .checking: "checking what is here"
      case .fetching: "\(progress.connections) connections"
      case .finishing: "finishing"
      }
    return ProgressState(
      label: name, done: progress.verifiedBytes, total: progress.totalBytes, rate: progress.bytesPerSecond,
      remaining: progress.remainingSeconds.map { .seconds($0) }, note: note)
  }

  private static func members(of progress: TransferProgress) -> [(name: String, value: JSONLine)] {
    [
      ("phase", .string(progress.phase.rawValue)), ("verified", .unsigned(progress.verifiedBytes)),
      ("total", progress.totalBytes.map { .unsigned($0) } ?? .null), ("reused", .unsigned(progress.reusedBytes)),
      ("rate", progress.bytesPerSecond.map { .unsigned(UInt64($0)) } ?? .null),
      ("remaining", progress.remainingSeconds.map { .unsigned(UInt64($0)) } ?? .null),
      ("connections", .signed(Int64(progress.connections))),
    ]
  }

  private static func members(of report: TransferReport) -> [(name: String, value: JSONLine)] {
    [
      ("output", report.path.map { .string($0) } ?? .null),
      ("id", report.fileID.map { .string($0.description) } ?? .null),
      ("trust", .string(report.trust.rawValue)), ("bytes", .unsigned(report.length)),
      ("fetched", .unsigned(report.fetchedBytes)), ("received", .unsigned(report.receivedBytes)),
      ("discarded", .unsigned(report.discardedBytes)),
      ("reused", .unsigned(report.reusedBytes)), ("stored", report.storedBytes.map { .unsigned($0) } ?? .null),
      ("requests", .signed(Int64(report.requests))),
      ("seconds", .number(report.seconds)),
      ("sources", .array(report.sources.map(source))),
    ]
  }

  private static func source(_ source: SourceReport) -> JSONLine {
    .object([
      ("url", .string(source.url)), ("kind", .string(source.kind.description)),
      ("bytes", .unsigned(source.receivedBytes)),
      ("wrongChunks", .array(source.wrongChunks.map { .signed(Int64($0.rawValue)) })),
      ("quarantined", .bool(source.isQuarantined)),
    ])
  }

  private static func line(_ source: SourceReport) -> String {
    let wrong = source.wrongChunks.isEmpty ? "" : ", \(source.wrongChunks.count) wrong chunks"
    return "\(source.url): \(ByteSize(bytes: source.receivedBytes))\(wrong)\(source.isQuarantined ? ", set aside" : "")"
  }

  private static func summary(_ report: TransferReport) -> String {
    let rate =
      report.seconds > 0 ? " (\(ByteSize.rate(bytesPerSecond: Double(report.fetchedBytes) / report.seconds)))" : ""
    let stored = report.storedBytes.map { ", stored \(ByteSize(bytes: $0))" } ?? ""
    let saved =
      report.receivedBytes < report.fetchedBytes ? " in \(ByteSize(bytes: report.receivedBytes)) compressed" : ""
    return "fetched \(ByteSize(bytes: report.fetchedBytes))\(saved)\(report.fetchedBytes > 0 ? rate : ""), reused "
      + "\(ByteSize(bytes: report.reusedBytes)), discarded \(ByteSize(bytes: report.discardedBytes))\(stored)"
  }

  private static func trust(_ trust: TrustLevel) -> String {
    switch trust {
    case .pinned: "verified, pinned"
    case .signed: "verified, signed"
    case .localManifest: "verified by the manifest given"
    case .origin: "verified"
    case .transport: "verified, manifest without TLS"
    case .digest: "digest right"
    case .unverified: "NOT verified"
    }
  }
}
