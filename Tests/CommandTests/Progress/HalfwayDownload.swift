import ChunkTestSupport
import FaultServer

/// A download of 16 chunks over one connection that stands still when 8 of them have come, until it is let go on.
struct HalfwayDownload {
  static let name = "half.bin"

  let publication: Publication
  let server: FaultServer
  let gate = Gate()
  let directory: TemporaryDirectory

  init() async throws {
    publication = try await Publication(count: 16 * (64 << 10))
    directory = try TemporaryDirectory()
    // A little of the ninth is under way.
    server = try publication.server([
      .on(.path("/" + Publication.name), .stall(after: 8 * (64 << 10) + 1000, .gate(gate)))
    ])
  }

  var arguments: [String] { ["-x", "1", "-o", Self.name, server.url()] }

  /// Starts it, with JSON events, and waits until it stands still.
  func start() async throws -> RunningProcess {
    let process = try GetRun.start(arguments, in: directory)
    _ = await process.errorLines.first { $0.contains("\"verified\":\(8 * (64 << 10)),") }
    return process
  }
}
