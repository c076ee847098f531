import ChunkTestSupport
import Foundation
import Testing

/// What one run of `chunkget` left behind, its JSON events read.
struct GetRun: CustomStringConvertible {
  let result: ProcessResult
  let events: [GetEvent]

  /// Runs the command with `--progress json` and waits for its end.
  init(_ arguments: [String], in directory: TemporaryDirectory? = nil) async throws {
    try await self.init(ended: Self.start(arguments, in: directory))
  }

  /// Waits for the end of a run.
  init(ended process: RunningProcess) async throws {
    result = await process.result
    events = try result.errorLines.map { try GetEvent($0) }
  }

  static func program(_ arguments: [String], in directory: TemporaryDirectory? = nil) -> Subprocess {
    var program = Subprocess("chunkget", arguments)
    program.directory = directory?.path
    // No proxy and no configuration of whoever runs the tests, and no waiting for a key after a crash.
    program.environment = ["no_proxy": "*", "SWIFT_BACKTRACE": "enable=no", "XDG_CONFIG_HOME": "/nonexistent"]
    return program
  }

  static func start(_ arguments: [String], in directory: TemporaryDirectory? = nil) throws -> RunningProcess {
    try program(["--progress", "json"] + arguments, in: directory).start()
  }

  var status: Int { result.status }

  /// The last event, if it is of success.
  var done: GetEvent? { events.last.flatMap { $0.event == "done" ? $0 : nil } }
  /// The last event, if it is of failure.
  var error: GetEvent? { events.last.flatMap { $0.event == "error" ? $0 : nil } }

  var description: String { result.description }
}

/// One line of `--progress json`.
struct GetEvent: Decodable {
  struct Source: Decodable {
    let url: String
    let bytes: Int
    let wrongChunks: [Int]
    let quarantined: Bool
  }

  struct Failure: Decodable {
    let output: String
    let message: String
  }

  let event: String
  let file: Int?
  let output: String?
  let message: String?
  let phase: String?
  let verified: Int?
  let total: Int?
  let reused: Int?
  let rate: Int?
  let remaining: Int?
  let connections: Int?
  let status: Int?
  let kind: String?
  let id: String?
  let trust: String?
  let bytes: Int?
  let fetched: Int?
  let discarded: Int?
  let stored: Int?
  let requests: Int?
  let seconds: Double?
  let sources: [Source]?
  let files: Int?
  let right: Int?
  let failed: Int?
  let skipped: Int?
  let failures: [Failure]?

  /// Throws when the line is no JSON object with an event, or has a member of the wrong type.
  init(_ line: String) throws {
    self = try JSONDecoder().decode(GetEvent.self, from: Data(line.utf8))
  }

  /// The names of the members of a line, sorted.
  static func members(of line: String) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any]).keys.sorted()
  }
}
