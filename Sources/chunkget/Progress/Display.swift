internal import ChunkSystem
internal import CommandSupport

/// Standard error, as all files of a run use it together: lines that are redrawn, JSON events, or nothing but errors. Any
/// thread may use it.
final class Display: Sendable {
  /// What there is to see of one file at the moment.
  struct Picture: Sendable {
    var line: ProgressState
    /// More of it, for so many columns.
    var details: (@Sendable (_ columns: Int) -> [String])?
  }

  private struct State: ~Copyable {
    var writer: ProgressWriter
    /// The files that are under way, by their numbers.
    var pictures: [Int: Picture] = [:]
    var counts: (@Sendable () -> BatchLedger.State)?
  }

  let kind: GetOptions.ProgressKind
  private let started = Instant.now
  private let state: Lock<State>

  init(_ kind: GetOptions.ProgressKind) {
    self.kind = kind
    let stream = StandardStream.error
    state = Lock(
      State(
        writer: ProgressWriter(
          isTerminal: stream.isTerminal, size: { stream.size ?? (80, 24) }, write: { Console.chunkget.writeError($0) }))
    )
  }

  /// There are several files, and this tells how many of them are done.
  func counts(_ counts: @escaping @Sendable () -> BatchLedger.State) { state.withLock { $0.counts = counts } }

  /// Shows how far a file is.
  func show(_ picture: Picture, of file: Int) {
    state.withLock { state in
      state.pictures[file] = picture
      if kind == .bar { draw(&state) }
    }
  }

  /// A file is not under way any more. With `last`, what stays on a terminal of the only one.
  func ended(_ file: Int, last: ProgressState? = nil) {
    state.withLock { state in
      state.pictures[file] = nil
      if let last, kind == .bar { state.writer.finish(last) }
    }
  }

  /// Says something on a line of its own. What comes from outside is escaped before.
  func say(_ line: String) {
    state.withLock { state in
      state.writer.say(line)
      if kind == .bar, !state.pictures.isEmpty { draw(&state) }
    }
  }

  /// Writes one JSON event.
  func event(_ name: String, _ members: [(name: String, value: JSONLine)]) {
    let line = JSONLine.object([("event", .string(name))] + members).text + "\n"
    state.withLock { _ in Console.chunkget.writeError(line) }
  }

  private func draw(_ state: inout State) {
    let now = started.duration(to: Instant.now)
    guard state.writer.isDue(now: now) else {
      // A log's clock begins with the first of them.
      return state.writer.update([], now: now)
    }
    let pictures = state.pictures.sorted { $0.key < $1.key }.map(\.value)
    let counts = state.counts?()
    state.writer.update(
      pictures.map(\.line),
      details: { columns in
        pictures.flatMap { $0.details?(columns) ?? [] }
          + (counts.map { [TextWidth.truncate($0.text, toColumns: columns)] } ?? [])
      }, now: now)
  }
}
