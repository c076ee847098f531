import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// A server that has a publication, and does with it what a script says.
final class Site: Sendable {
  static let path = FaultServer.defaultPath
  static let manifestPath = path + ".chunks"

  let publication: Publication
  let server: FaultServer

  /// Starts the server; the standard publication unless told otherwise, with its manifest beside it.
  init(
    _ publication: Publication? = nil, _ rules: [FaultRule] = [], connections: ConnectionFaults = ConnectionFaults(),
    hasManifest: Bool = true, address: String = "127.0.0.1"
  ) throws {
    self.publication = try publication ?? .standard()
    var resources = [Self.path: Resource.bytes(self.publication.bytes)]
    if hasManifest { resources[Self.manifestPath] = .bytes(self.publication.manifest) }
    server = try FaultServer(
      resources: resources, script: FaultScript(rules, connections: connections), address: address)
  }

  var url: String { server.url() }
  /// What was asked of the file itself.
  var payload: [RecordedRequest] { server.recording.requests(to: Self.path) }
  var payloadBytesPromised: Int { payload.compactMap(\.served).reduce(0) { $0 + $1.count } }
  var hasOneRangeFieldAtMost: Bool {
    server.recording.requests.allSatisfy { $0.request.count(of: "Range") <= 1 }
  }
}

extension RequestMatch {
  static var payload: RequestMatch { .path(Site.path) }
  static var manifest: RequestMatch { .path(Site.manifestPath) }
}

/// A directory to download into, and how.
struct Client: Sendable {
  let scratch: TemporaryDirectory
  var options = TransferOptions()

  /// Four connections, retries without a rest worth mentioning, and an end instead of a test that
  /// hangs.
  init() throws {
    scratch = try TemporaryDirectory()
    options.connections = 4
    options.firstRetryPause = .milliseconds(2)
    options.patience = .seconds(60)
    // What is fetched must not depend on how fast a sanitized, or a busy, machine is.
    options.helpsLateSpans = false
  }

  static let name = "out.bin"

  func download(_ url: String) throws(TransferError) -> Download {
    try Download(from: url, to: scratch.path(Self.name), options: options)
  }

  func fetch(_ url: String) async -> Outcome {
    do throws(TransferError) {
      return await run(try download(url))
    } catch {
      return Outcome(result: .failure(error), scratch: scratch)
    }
  }

  func run(_ download: Download) async -> Outcome {
    do throws(TransferError) {
      let report = try await download.run()
      return Outcome(result: .success(report), scratch: scratch)
    } catch {
      return Outcome(result: .failure(error), scratch: scratch)
    }
  }

  func fetch(from site: Site) async -> Outcome { await fetch(site.url) }
}

/// What came of a download.
struct Outcome: Sendable {
  let result: Result<TransferReport, TransferError>
  let scratch: TemporaryDirectory

  var report: TransferReport? { try? result.get() }
  var error: TransferError? {
    if case .failure(let error) = result { error } else { nil }
  }

  /// The file is there, right, alone, and every byte that came is accounted for.
  @discardableResult
  func expectRight(
    _ publication: Publication, discarding discarded: Int? = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> TransferReport {
    let report = try #require(report, "failed: \(String(describing: error))", sourceLocation: sourceLocation)
    let isRight = scratch.read(Client.name) == publication.bytes
    #expect(isRight, "other bytes under the name", sourceLocation: sourceLocation)
    #expect(try scratch.names() == [Client.name], sourceLocation: sourceLocation)
    #expect(report.length == publication.bytes.count, sourceLocation: sourceLocation)
    #expect(report.fetchedBytes + report.reusedBytes == report.length, sourceLocation: sourceLocation)
    let received = report.sources.reduce(0) { $0 + $1.receivedBytes }
    #expect(received == report.receivedBytes, sourceLocation: sourceLocation)
    if report.sources.allSatisfy({ $0.kind == .file }) {
      #expect(received == report.fetchedBytes + report.discardedBytes, sourceLocation: sourceLocation)
    }
    if let discarded { #expect(report.discardedBytes == UInt64(discarded), sourceLocation: sourceLocation) }
    return report
  }

  /// It failed so, and nothing is under the name.
  @discardableResult
  func expectFailure(
    _ code: TransferError.Code, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> TransferError {
    let error = try #require(error, "nothing failed", sourceLocation: sourceLocation)
    #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
    #expect(try !scratch.names().contains(Client.name), sourceLocation: sourceLocation)
    return error
  }
}
