internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// Writes what a verification finds, while it goes on.
final class VerificationListing: Sendable {
  private let asJSON: Bool
  private let isQuiet: Bool
  private let console: Console
  /// Why standard output took no more.
  private let failure = Lock<Failure?>(nil)

  init(asJSON: Bool, isQuiet: Bool, _ console: Console) {
    self.asJSON = asJSON
    self.isQuiet = isQuiet
    self.console = console
  }

  /// Lists a bad chunk. When it cannot be written there is no use in going on.
  func add(_ bad: BadChunk, orStop progress: HashingProgress) {
    add(asJSON ? Self.json(bad).text : Self.text(bad), orStop: progress)
  }

  /// Lists a bad frame, in the same way.
  func add(_ bad: BadFrame, orStop progress: HashingProgress) {
    add(asJSON ? bad.json.text : bad.text, orStop: progress)
  }

  private func add(_ line: String, orStop progress: HashingProgress) {
    do throws(Failure) {
      try write("\(line)\n")
    } catch {
      failure.withLock { $0 = error }
      progress.cancel()
    }
  }

  /// The last line: whether the file is right.
  func finish(_ verification: FileVerification, of path: String, _ manifest: Manifest) throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    let text =
      asJSON
      ? Self.json(verification, manifest).text : "\(SafeText.escape(path)): \(Self.text(verification, manifest))"
    try write("\(text)\n")
  }

  /// The last line of a pack.
  func finish(_ verification: PackVerification, of path: String, _ manifest: Manifest) throws(Failure) {
    if let failure = failure.withLock({ $0 }) { throw failure }
    let count = manifest.geometry.chunkCount
    let text =
      asJSON
      ? verification.json(frameCount: count).text
      : "\(SafeText.escape(path)): \(verification.text(frameCount: count))"
    try write("\(text)\n")
  }

  private func write(_ text: String) throws(Failure) {
    if !isQuiet { try console.result(text) }
  }

  // MARK: For people

  private static func text(_ bad: BadChunk) -> String {
    let found =
      switch bad.finding {
      case .wrong(let id): id.hex
      case .unreadable(let error): "\(error)"
      case .right, .absent: "nothing"
      }
    return "\(ChunkText.place(bad.index, bad.range))  expected \(bad.expected.hex)  found \(found)"
  }

  private static func text(_ verification: FileVerification, _ manifest: Manifest) -> String {
    var facts: [String] = []
    let count = manifest.geometry.chunkCount
    if verification.badChunkCount > 0 { facts.append("\(verification.badChunkCount) of \(count) chunks are wrong") }
    if verification.length != verification.expectedLength {
      facts.append("it has \(verification.length) bytes and should have \(verification.expectedLength)")
    }
    return facts.isEmpty ? "right, \(manifest.fileID)" : facts.joined(separator: "; ")
  }

  // MARK: For programs

  private static func json(_ bad: BadChunk) -> JSONLine {
    var members: [(name: String, value: JSONLine)] = [
      ("event", "bad-chunk"), ("index", .unsigned(UInt64(bad.index.rawValue))), ("offset", .unsigned(bad.range.offset)),
      ("length", .unsigned(bad.range.count)), ("expected", .string(bad.expected.hex)),
    ]
    switch bad.finding {
    case .wrong(let id): members.append(("found", .string(id.hex)))
    case .unreadable(let error): members += [("found", nil), ("error", .string("\(error)"))]
    case .right, .absent: members.append(("found", nil))
    }
    return .object(members)
  }

  private static func json(_ verification: FileVerification, _ manifest: Manifest) -> JSONLine {
    [
      "event": "done", "right": .bool(verification.isRight), "fileID": .string(manifest.fileID.description),
      "length": .unsigned(verification.length), "expectedLength": .unsigned(verification.expectedLength),
      "chunkCount": .unsigned(UInt64(manifest.geometry.chunkCount)),
      "badChunkCount": .unsigned(UInt64(verification.badChunkCount)),
    ]
  }
}
