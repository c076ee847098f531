internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// Tells people, or programs, what the download of one file does.
final class Teller: Sendable {
  private let display: Display
  /// Its number in a batch, from 1; nil when it is alone.
  private let file: Int?
  private let isVerbose: Bool
  private let label = Lock("")

  init(options: GetOptions, display: Display, file: Int?) {
    self.display = display
    self.file = file
    isVerbose = options.isVerbose
  }

  private var number: Int { file ?? 1 }

  /// What the file is called.
  var name: String { label.withLock { $0 } }

  func began(name: String) {
    label.withLock { $0 = name }
    if display.kind == .json { event("start", [("output", .string(name))]) }
  }

  func notice(_ text: String) {
    switch display.kind {
    case .json: event("notice", [("message", .string(text))])
    case .bar: say(text)
    case .none: break
    }
  }

  /// Says something that went wrong beside the download.
  func remark(_ text: String) {
    if display.kind == .json { event("notice", [("message", .string(text))]) } else { say(text) }
  }

  func progress(_ progress: TransferProgress) {
    // Shown first: who has read the event and asks for the state is told nothing older.
    display.show(TransferPicture(name: name, progress: progress), of: number)
    if display.kind == .json { event("progress", Self.members(of: progress)) }
  }

  func done(_ report: TransferReport) {
    guard display.kind == .bar else {
      display.ended(number)
      if display.kind == .json { event("done", Self.members(of: report)) }
      return
    }
    if file == nil, display.isTerminal {
      display.ended(
        number,
        last: ProgressState(label: name, done: report.length, total: report.length, note: Self.trust(report.trust)))
      display.say(Self.summary(report))
    } else {
      display.ended(number)
      display.say("\(SafeText.escape(name)): \(Self.trust(report.trust)); \(Self.summary(report))")
    }
    if isVerbose { for source in report.sources { say(Self.line(source)) } }
  }

  func failed(_ message: String, status: ExitStatus) {
    display.ended(number)
    if display.kind == .json {
      event(
        "error",
        [
          ("status", .signed(Int64(status.code))), ("kind", .string(status.name)), ("message", .string(message)),
        ])
    } else {
      say(message)
    }
  }

  /// It is over, and there is nothing to say about it.
  func ended() { display.ended(number) }

  /// In a batch with the name of the file.
  private func say(_ text: String) {
    let file = file == nil ? "" : "\(SafeText.escape(name)): "
    display.say("chunkget: \(file)\(SafeText.escape(text))")
  }

  private func event(_ event: String, _ members: [(name: String, value: JSONLine)]) {
    display.event(event, [("file", .signed(Int64(number)))] + members)
  }
}

// MARK: What is said

extension Teller {
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

  static func trust(_ trust: TrustLevel) -> String {
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
