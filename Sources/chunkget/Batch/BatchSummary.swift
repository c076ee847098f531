internal import CommandSupport

extension BatchLedger.State {
  /// How far it is, in one line.
  var text: String {
    let failed = failed > 0 ? ", \(failed) failed" : ""
    return "\(ended) of \(files) files done\(failed)"
  }
}

extension Display {
  /// Tells what became of a batch.
  func summary(_ batch: BatchLedger.State, status: ExitStatus) {
    switch kind {
    case .none: break
    case .json: event("summary", Self.members(of: batch, status))
    case .bar:
      for failure in batch.failures {
        say("chunkget: failed: \(SafeText.escape(failure.name)): \(SafeText.escape(failure.reason))")
      }
      if batch.failed > batch.failures.count {
        say("chunkget: failed: \(batch.failed - batch.failures.count) more")
      }
      say(Self.summaryText(batch))
    }
  }

  private static func summaryText(_ batch: BatchLedger.State) -> String {
    var facts = ["\(batch.right) of \(batch.files) files right"]
    if batch.failed > 0 { facts.append("\(batch.failed) failed") }
    if batch.skipped > 0 { facts.append("\(batch.skipped) not begun") }
    return "\(facts.joined(separator: ", ")); \(ByteSize(bytes: batch.bytes)), of which "
      + "\(ByteSize(bytes: batch.fetchedBytes)) were fetched"
  }

  private static func members(
    of batch: BatchLedger.State, _ status: ExitStatus
  ) -> [(name: String, value: JSONLine)] {
    [
      ("status", .signed(Int64(status.code))), ("files", .signed(Int64(batch.files))),
      ("right", .signed(Int64(batch.right))), ("failed", .signed(Int64(batch.failed))),
      ("skipped", .signed(Int64(batch.skipped))), ("bytes", .unsigned(batch.bytes)),
      ("fetched", .unsigned(batch.fetchedBytes)),
      (
        "failures",
        .array(batch.failures.map { .object([("output", .string($0.name)), ("message", .string($0.reason))]) })
      ),
    ]
  }
}
