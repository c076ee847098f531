internal import ChunkTransfer
internal import CommandSupport

/// The members of the events that `Spec/events-v1.md` describes.
extension Teller {
  static func members(of progress: TransferProgress) -> [(name: String, value: JSONLine)] {
    [
      ("phase", .string(progress.phase.rawValue)), ("verified", .unsigned(progress.verifiedBytes)),
      ("total", progress.totalBytes.map { .unsigned($0) } ?? .null), ("reused", .unsigned(progress.reusedBytes)),
      ("rate", progress.bytesPerSecond.map { .unsigned(UInt64($0)) } ?? .null),
      ("remaining", progress.remainingSeconds.map { .unsigned(UInt64($0)) } ?? .null),
      ("connections", .signed(Int64(progress.connections))),
    ]
  }

  static func members(of report: TransferReport) -> [(name: String, value: JSONLine)] {
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
}
