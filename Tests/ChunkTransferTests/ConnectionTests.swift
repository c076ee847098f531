import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Connections that break, stall, trickle, or carry something else than HTTP.
struct ConnectionTests {
  @Test(
    "an answer that breaks off is gone on with from the missing byte", arguments: [FaultAction.Ending.close, .reset])
  func breaksOff(_ ending: FaultAction.Ending) async throws {
    let site = try Site(nil, [.on(.payload, .cut(after: 300_000, ending), times: 4)])
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.requests > 4)
    if ending == .close { #expect(report.fetchedBytes == UInt64(site.payload.reduce(0) { $0 + $1.bodyBytesSent })) }
  }

  @Test(
    "connections that are cut every 100 KiB move on with each, and lose nothing",
    arguments: [FaultAction.Ending.close, .reset], [ConnectionFaults.Cut.Scope.connection, .server])
  func cutAgainAndAgain(_ ending: FaultAction.Ending, _ scope: ConnectionFaults.Cut.Scope) async throws {
    let site = try Site(connections: ConnectionFaults(cut: .init(every: 102_400, ending, scope: scope)))
    var client = try Client()
    client.options.retries = 1
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.requests >= site.publication.bytes.count / 102_400)
  }

  @Test("cuts within every chunk, with as few buffers as there can be, lock nothing up")
  func fewBuffers() async throws {
    let site = try Site(connections: ConnectionFaults(cut: .init(every: 50_000, .close)))
    var client = try Client()
    client.options.memoryBudget = 4 * site.publication.chunkSize
    client.options.connections = 8
    try await client.fetch(from: site).expectRight(site.publication)
  }

  @Test("what breaks all connections at once is one failure, not as many")
  func blip() async throws {
    let site = try Site(nil, [.on(.payload, .noAnswer(.reset), times: 4)])
    var client = try Client()
    client.options.retries = 1
    try await client.fetch(from: site).expectRight(site.publication)
  }

  @Test("a server that never answers is given up after as many retries as were allowed", arguments: [0, 2])
  func gone(_ retries: Int) async throws {
    let site = try Site(nil, [.on(.payload, .noAnswer(.close))])
    var client = try Client()
    client.options.connections = 1
    client.options.retries = retries
    let error = try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(error.isRetryable && error.message.contains(site.url))
    #expect(try client.scratch.names().contains("out.bin.part"))
  }

  @Test("nobody listens")
  func nobodyListens() async throws {
    let site = try Site()
    site.server.stop()
    var client = try Client()
    client.options.retries = 1
    try await client.fetch(from: site).expectFailure(.unreachable)
  }

  @Test("a stall ends the request, not the download, and what had come is kept", arguments: [0, 300_000])
  func stall(_ after: UInt64) async throws {
    let site = try Site(nil, [.on(.payload, .stall(after: after, .forever), times: 1)])
    var client = try Client()
    client.options.stallTimeout = .seconds(1)
    try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
  }

  @Test("a server that only ever stalls is given up")
  func stallsAlways() async throws {
    let site = try Site(nil, [.on(.payload, .holdHead(.forever))])
    var client = try Client()
    client.options.stallTimeout = .milliseconds(300)
    client.options.retries = 1
    let error = try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains(site.url))
  }

  @Test("a trickle is as good as a stall")
  func trickle() async throws {
    let site = try Site(nil, [.on(.payload, .trickle(bytes: 1, every: .milliseconds(50)), times: 1)])
    var client = try Client()
    client.options.stallTimeout = .seconds(1)
    try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(site.payload.contains { $0.outcome == .clientClosed })
  }

  enum NotHTTP: CaseIterable {
    case garbageStatusLine, headTooLong, lengthAndChunked, twoLengths, nothing

    var action: FaultAction {
      switch self {
      case .garbageStatusLine: .garbageStatusLine
      case .headTooLong: .padHead(bytes: 300_000)
      case .lengthAndChunked: .chunked(withLength: true)
      case .twoLengths: .addHeader("Content-Length", "17")
      case .nothing: .noAnswer(.close)
      }
    }
  }

  @Test("an answer that breaks the protocol never becomes bytes of the file", arguments: NotHTTP.allCases)
  func notHTTP(_ fault: NotHTTP) async throws {
    let site = try Site(nil, [.on(.payload, fault.action)])
    var client = try Client()
    client.options.retries = 1
    let outcome = await client.fetch(from: site)
    // A length beside the chunked coding is to be ignored (RFC 9112, 6.3).
    if fault == .lengthAndChunked, outcome.report != nil {
      try outcome.expectRight(site.publication)
    } else {
      try outcome.expectFailure(.unreachable)
    }
  }

  @Test("one source speaks nonsense, another one does not", arguments: NotHTTP.allCases)
  func notHTTPOfTwo(_ fault: NotHTTP) async throws {
    let site = try Site(nil, [.on(.payload, fault.action)])
    let mirror = try Site(address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    client.options.retries = 1
    try await client.fetch(from: site).expectRight(site.publication)
  }

  @Test("bytes after the announced body belong to no chunk")
  func surplus() async throws {
    let site = try Site(nil, [.on(.payload, .surplus(Array("HTTP/1.1 200 OK\r\n".utf8)))])
    try await Client().fetch(from: site).expectRight(site.publication)
  }

  @Test("HTTP/1.0, with connections that close", arguments: [true, false])
  func http10(_ givesRanges: Bool) async throws {
    var rules: [FaultRule] = [.always(.http10, .dropHeader("Connection"))]
    if !givesRanges { rules.append(.on(.payload, .ignoreRange, .dropHeader("Content-Length"))) }
    let site = try Site(nil, rules)
    try await Client().fetch(from: site).expectRight(site.publication)
  }

  @Test("a body nobody wants costs at most what fits into sockets and a buffer")
  func unwantedBody() async throws {
    let site = try Site()
    let mirror = try FaultServer(
      resources: [Site.path: Resource(.pattern(length: 5 << 30))], address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url()]
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(mirror.recording.bodyBytesSent < 32 << 20)
  }

  @Test("a connection that brings nothing more is not waited for when another one has nothing left to do")
  func helpsAtTheEnd() async throws {
    let gate = Gate()
    let site = try Site(nil, [.on(.payload && .numbersForPath(1...1), .stall(after: 200_000, .gate(gate)))])
    var client = try Client()
    client.options.helpsLateSpans = true
    client.options.stallTimeout = .seconds(3600)
    try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    gate.open()
  }
}
