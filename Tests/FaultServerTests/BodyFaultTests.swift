import ChunkTestSupport
import FaultServer
import Testing

/// What can happen to a body, and to a connection, while it is under way. Time is a gate that the test opens.
@Suite struct BodyFaultTests {
  let content = SeededBytes.make(count: 300_000)

  @Test func `bytes left out`() async throws {
    let server = try FaultServer(content: content, script: FaultScript([.always(.omit(100..<150))]))
    let answer = try await fetch(server, "Range: bytes=0-999")
    #expect(answer.header("Content-Length") == "1000")
    #expect(answer.end == .closed)
    #expect(answer.body == Array(content[..<100] + content[150..<1000]))
  }

  @Test func `more than announced, on a connection that stays`() async throws {
    let server = try FaultServer(
      content: content, script: FaultScript([.on(.number(1), .surplus(Array("surplus".utf8)))]))
    let (answer, extra, second) = try await onOwnThread { [port = server.port] in
      let client = try RawConnection(port: port)
      client.request("GET", "/file.bin", "Range: bytes=0-9")
      let answer = try client.answer()
      let extra = client.read(7).bytes
      client.request("GET", "/file.bin", "Range: bytes=10-19")
      return (answer, extra, try client.answer())
    }
    #expect(answer.body == Array(content[..<10]))
    #expect(extra == Array("surplus".utf8))
    #expect(second.body == Array(content[10..<20]))
  }

  @Test func `the chunked coding, with and without a length`() async throws {
    let server = try FaultServer(
      content: Array(content[..<100]),
      script: FaultScript([.on(.number(1), .chunked(withLength: false)), .on(.number(2), .chunked(withLength: true))]))
    let answers = try await onOwnThread { [port = server.port] in
      let client = try RawConnection(port: port)
      return try (0..<2).map { _ in
        client.request()
        let head = try client.answer()
        return (head.header("Content-Length"), client.read(4 + 100 + 2 + 5).bytes)
      }
    }
    let coded = Array("64\r\n".utf8) + content[..<100] + Array("\r\n0\r\n\r\n".utf8)
    #expect(answers.map(\.0) == [nil, "100"])
    #expect(answers.map(\.1) == [coded, coded])
    #expect(server.recording.bodyBytesSent == 200)
  }

  @Test func `held head and stalled body go on when the gate opens`() async throws {
    let (head, body) = (Gate(), Gate())
    let server = try FaultServer(
      content: content, script: FaultScript([.always(.holdHead(.gate(head)), .stall(after: 1000, .gate(body)))]))
    async let answer = fetch(server)
    var recording = try await server.waitUntil { $0.held == 1 }
    #expect(recording.bodyBytesSent == 0)
    head.open()
    recording = try await server.waitUntil { $0.held == 1 && $0.bodyBytesSent > 0 }
    #expect(recording.bodyBytesSent == 1000)
    body.open()
    let isWhole = try await answer.body == content
    #expect(isWhole)
  }

  @Test func `a stall ends with the client`() async throws {
    let server = try FaultServer(content: content, script: FaultScript([.always(.stall(after: 1000, .forever))]))
    try await onOwnThread { [port = server.port] in
      let client = try RawConnection(port: port)
      client.request()
      _ = client.read(1000)
    }
    let recording = try await server.waitUntil { $0.finished == 1 }
    #expect(recording.requests[0].outcome == .clientClosed)
    #expect(recording.requests[0].bodyBytesSent == 1000)
  }

  @Test func `a trickle gives little at a time`() async throws {
    let server = try FaultServer(
      content: Array(content[..<50]), script: FaultScript([.always(.trickle(bytes: 10, every: .milliseconds(1)))]))
    #expect(try await fetch(server).body == Array(content[..<50]))
    // The client has the bytes before the server has written down that it sent them.
    let recording = try await server.waitUntil { $0.finished == 1 }
    #expect(recording.requests[0].bodyBytesSent == 50)
  }

  @Test(arguments: [FaultAction.Ending.close, .reset])
  func `connections cut every so many bytes`(ending: FaultAction.Ending) async throws {
    let server = try FaultServer(
      content: content, script: FaultScript(connections: ConnectionFaults(cut: .init(every: 2500, ending))))
    let counts = try await onOwnThread { [port = server.port] in
      let client = try RawConnection(port: port)
      return (0..<3).map { _ in
        client.request("GET", "/file.bin", "Range: bytes=0-999")
        return (try? client.answer())?.body.count ?? 0
      }
    }
    #expect(counts[..<2] == [1000, 1000])
    #expect(ending == .reset ? counts[2] <= 500 : counts[2] == 500)
    let recording = try await server.waitUntil { $0.finished == 3 && $0.openConnections == 0 }
    #expect(recording.requests.map(\.bodyBytesSent) == [1000, 1000, 500])
    #expect(recording.requests[2].outcome == .cut)
    let fresh = try await fetch(server, "Range: bytes=0-999")
    #expect(fresh.body.count == 1000, "each connection has its own count")
  }

  @Test func `connections cut by what all have sent`() async throws {
    let server = try FaultServer(
      content: content,
      script: FaultScript(connections: ConnectionFaults(cut: .init(every: 1500, .close, scope: .server))))
    var counts: [Int] = []
    for _ in 0..<4 { counts.append(try await fetch(server, "Range: bytes=0-999").body.count) }
    #expect(counts == [1000, 500, 1000, 500])
  }

  @Test func `more requests at a time than allowed are refused`() async throws {
    let gate = Gate()
    let server = try FaultServer(
      content: content,
      script: FaultScript([
        .on(.activeRequests(above: 1), .status(429, retryAfter: .seconds(1))), .always(.holdHead(.gate(gate))),
      ]))
    async let first = fetch(server)
    try await server.waitUntil { $0.held == 1 }
    async let second = fetch(server)
    try await server.waitUntil { $0.held == 2 }
    gate.open()
    #expect(try await first.status == 200)
    #expect(try await second.status == 429)
    #expect(server.recording.mostActiveRequests == 2)
    #expect(server.recording.mostConnections == 2)
  }

  @Test func `connections beyond the limit wait outside`() async throws {
    let gate = Gate()
    let server = try FaultServer(
      content: content,
      script: FaultScript([.on(.number(1), .holdHead(.gate(gate)))], connections: ConnectionFaults(limit: 1)))
    async let first = fetch(server)
    try await server.waitUntil { $0.held == 1 }
    async let second = fetch(server)
    gate.open()
    #expect(try await first.status == 200)
    #expect(try await second.status == 200)
    #expect(server.recording.mostConnections == 1)
  }

  @Test func `a slow door, and one that is shut`() async throws {
    let gate = Gate()
    let server = try FaultServer(
      content: content,
      script: FaultScript(connections: ConnectionFaults(acceptPause: .gate(gate), refused: 1...1)))
    async let first: (bytes: [UInt8], end: RawConnection.End) = onOwnThread { [port = server.port] in
      let client = try RawConnection(port: port)
      return client.rest()
    }
    #expect(server.recording.connections == 0)
    gate.open()
    #expect(try await first.end == .reset)
    #expect(try await fetch(server).status == 200)
  }
}
