internal import ChunkSystem
internal import CommandSupport

/// Standard error, as all files of a run use it together: lines that are redrawn, JSON events, or nothing but errors. Any
/// thread may use it.
final class Display: Sendable {
  private struct State: ~Copyable {
    var writer: ProgressWriter
    /// The files that are under way, by their numbers.
    var pictures: [Int: TransferPicture] = [:]
    var counts: (@Sendable () -> BatchLedger.State)?
  }

  let kind: GetOptions.ProgressKind
  let style: TerminalStyle
  /// It is a terminal that lines can be redrawn on.
  let isTerminal: Bool
  private let isVerbose: Bool
  private let started = Instant.now
  private let state: Lock<State>

  init(_ options: GetOptions) {
    kind = options.progress
    isVerbose = options.isVerbose
    let stream = StandardStream.error
    style = TerminalStyle.suiting(stream)
    isTerminal = stream.isTerminal && !stream.isDumb
    let (style, isTerminal) = (style, isTerminal)
    state = Lock(
      State(
        writer: ProgressWriter(
          isTerminal: isTerminal, style: style, size: { stream.size ?? (80, 24) },
          write: { Console.chunkget.writeError($0) }))
    )
  }

  /// There are several files, and this tells how many of them are done.
  func counts(_ counts: @escaping @Sendable () -> BatchLedger.State) { state.withLock { $0.counts = counts } }

  /// Shows how far a file is.
  func show(_ picture: TransferPicture, of file: Int) {
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
    let (counts, style, isVerbose) = (state.counts?(), style, isVerbose)
    let mapRows = pictures.count == 1 ? Self.mapRows : 1
    state.writer.update(
      pictures.map(\.line),
      details: { columns in
        let details = isVerbose ? pictures.map { $0.details(columns: columns, mapRows: mapRows, style: style) } : []
        return details.flatMap { $0 } + (counts.map { [TextWidth.truncate($0.text, toColumns: columns)] } ?? [])
      }, now: now)
  }

  private static let mapRows = 4

  /// Tells once what there is to see, whatever is shown otherwise.
  func tellState() {
    let (pictures, counts) = state.withLock { state in
      (state.pictures.sorted { $0.key < $1.key }.map(\.value), state.counts?())
    }
    let plain = TerminalStyle(usesBlocks: style.usesBlocks)
    for picture in pictures {
      let lines =
        [ProgressLine.renderPlain(picture.line)]
        + picture.details(columns: 79, mapRows: Self.mapRows, style: plain)
      for line in lines { tell(line) }
    }
    if let counts { tell(counts.text) } else if pictures.isEmpty { tell("nothing has begun yet") }
  }

  private func tell(_ line: String) {
    if kind == .json { event("state", [("message", .string(line))]) } else { say(line) }
  }
}
