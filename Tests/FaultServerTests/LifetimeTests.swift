import ChunkTestSupport
import FaultServer
import Testing

/// Nothing outlives a server, whatever its clients do.
@Suite struct LifetimeTests {
  @Test func `stopping ends held, stalled, waiting and idle connections`() async throws {
    let server = try FaultServer(
      resources: ["/a": Resource(.pattern(length: 8 << 30)), "/b": .bytes([1, 2, 3])],
      script: FaultScript([
        .on(.query("head"), .holdHead(.forever)), .on(.query("body"), .stall(after: 10, .gate(Gate()))),
        .on(.query("slow"), .trickle(bytes: 1, every: .seconds(3600))),
      ]))
    // The last but one is never read, so that the server hangs in sending; the last one asks for nothing.
    let clients = try await onOwnThread { [port = server.port] in
      try ["/b?head", "/a?body", "/a?slow", "/a", nil].map { target in
        let client = try RawConnection(port: port)
        if let target { client.request("GET", target) }
        return client
      }
    }
    try await server.waitUntil { $0.held == 3 && $0.openConnections == 5 && $0.requests.count == 4 }
    let waiting = Task { try await server.waitUntil { $0.finished == 100 } }
    server.stop()
    await #expect(throws: FaultServerError.stopped) { try await waiting.value }
    #expect(server.recording.openConnections == 0)
    #expect(server.recording.requests.allSatisfy { $0.outcome == .stopped })
    let ends = try await onOwnThread { [first = clients[0], last = clients[4]] in [first.rest().end, last.rest().end] }
    #expect(ends == [.closed, .closed])
    await #expect(throws: RawConnection.Failure.self) { try await fetch(server) }
    server.stop()
  }

  @Test func `nobody waits for a server that has stopped, or after being cancelled`() async throws {
    let server = try FaultServer(content: [1])
    let task = Task { () -> FaultServerError? in
      do throws(FaultServerError) {
        try await server.waitUntil { $0.requests.count == 1 }
        return nil
      } catch {
        return error
      }
    }
    task.cancel()
    #expect(await task.value == .cancelled)
    server.stop()
    await #expect(throws: FaultServerError.stopped) { try await server.waitUntil { $0.requests.count == 1 } }
    #expect(try await server.waitUntil { $0.requests.isEmpty }.connections == 0)
  }

  @Test func `the port is free again, and another script can be put in force`() async throws {
    let server = try FaultServer(content: [1, 2, 3])
    server.stop()
    let again = try FaultServer(resources: ["/x": .bytes([4])], address: server.address, port: server.port)
    #expect(try await fetch(again, path: "/x").body == [4])
    again.setScript(FaultScript([.on(.any, .status(500), times: 1)]))
    again.setResource(.bytes([5]), at: "/x")
    #expect(try await fetch(again, path: "/x").status == 500)
    #expect(try await fetch(again, path: "/x").body == [5])
    again.setResource(nil, at: "/x")
    #expect(try await fetch(again, path: "/x").status == 404)
  }

  @Test func `no thread is left behind`() async {
    // In a process of its own, since the tests beside this one have such threads too.
    await #expect(processExitsWith: .success) {
      let server = try FaultServer(content: [1, 2, 3])
      for _ in 0..<50 { try #require(try await fetch(server).status == 200) }
      try await server.waitUntil { $0.openConnections == 0 }
      // Most have been joined while others came; how many of the last ones wait for it, nobody knows.
      try #require(try serverThreads() < 25)
      server.stop()
      try #require(try serverThreads() == 0)
    }
  }
}

private func serverThreads() throws -> Int {
  try TestFile.names(in: "/proc/self/task").count { thread in
    let name = (try? TestFile.read("/proc/self/task/\(thread)/comm")) ?? []
    return String(decoding: name, as: UTF8.self).hasPrefix("fault ")
  }
}
