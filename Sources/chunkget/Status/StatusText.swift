internal import ChunkCore
internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// A ``PartialStatus`` in words and a map. Pure.
struct StatusText {
  private let status: PartialStatus

  init(_ status: PartialStatus) { self.status = status }

  private static let mapRows = 8

  func lines(columns: Int, style: TerminalStyle) -> [String] {
    let geometry = status.geometry
    let label = SafeText.escape(status.path)
    let percent = geometry.chunkCount == 0 ? 100 : status.rightChunks * 100 / geometry.chunkCount
    var lines = [
      "\(label): \(percent)%, \(ByteSize(bytes: status.rightBytes)) of \(ByteSize(bytes: geometry.fileLength)) is right",
      "  \(status.fileID)",
      "  \(status.rightChunks) of \(geometry.chunkCount) chunks of \(ByteSize(bytes: UInt64(geometry.chunkSize.bytes)))\(unknown)",
    ]
    if status.isRunning { lines.append("  being written by \(writers)") }
    let map = ChunkMapText.render(status.map.mapCells, columns: columns - 3, rows: Self.mapRows, style: style)
    lines += map.map { "  \($0)" }
    return lines
  }

  private var unknown: String {
    status.unknownChunks == 0
      ? "" : "; of \(status.unknownChunks) nothing is known, as their part of the manifest is not here"
  }

  private var writers: String {
    if status.holders.isEmpty { return "another process" }
    return status.holders.map { "process \($0.process) (\(SafeText.escape($0.name)))" }.joined(separator: ", ")
  }
}
