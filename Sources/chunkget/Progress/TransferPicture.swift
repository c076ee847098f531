internal import ChunkTransfer
internal import CommandSupport

/// What there is to see of a running download: a line, and below it, where more is wanted, a line a source and a map of the
/// chunks. Pure.
struct TransferPicture: Sendable {
  let name: String
  let progress: TransferProgress

  var line: ProgressState {
    let note =
      switch progress.phase {
      case .manifest: "looking for the manifest"
      case .checking: "checking what is here"
      case .fetching: progress.connections == 1 ? "1 connection" : "\(progress.connections) connections"
      case .finishing: "finishing"
      }
    return ProgressState(
      label: name, done: progress.verifiedBytes, total: progress.totalBytes, rate: progress.bytesPerSecond,
      remaining: progress.remainingSeconds.map { .seconds($0) }, note: note)
  }

  /// Lines of at most so many columns.
  func details(columns: Int, mapRows: Int, style: TerminalStyle) -> [String] {
    let sources = progress.sources.map { source in
      TextWidth.truncate("  \(Self.facts(source))  \(SafeText.escape(source.url))", toColumns: columns)
    }
    let map = progress.map.map { ChunkMapText.render($0.mapCells, columns: columns - 2, rows: mapRows, style: style) }
    return sources + (map ?? []).map { "  \($0)" }
  }

  /// What differs most comes first, in columns of its own, so that it can be seen at any width.
  private static func facts(_ source: SourceProgress) -> String {
    let rate = source.bytesPerSecond.map { ByteSize.rate(bytesPerSecond: $0) } ?? "-"
    let state =
      switch source.standing {
      case .active: "\(source.connections) open"
      case .failed: "failed"
      case .quarantined: "set aside"
      }
    return "\(TextWidth.fit(rate, toColumns: 12))\(TextWidth.fit(state, toColumns: 9))"
  }
}

extension ChunkMap {
  /// As it is drawn.
  var mapCells: [MapCell] {
    cells.map { $0.here == $0.count ? .here : $0.isAsked ? .asked : $0.here > 0 ? .partly : .missing }
  }
}
