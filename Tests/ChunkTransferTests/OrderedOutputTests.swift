import ChunkSystem
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Glibc
import Testing

/// Output that is a FIFO: in order, verified, bounded.
struct OrderedOutputTests {
  /// A FIFO in place of the file. A reader that goes away must not end the test process.
  private func clientWithFIFO() throws -> Client {
    Signal.ignoreBrokenPipes()
    let client = try Client()
    let result = unsafe mkfifo(client.scratch.path(Client.name), 0o600)
    #expect(result == 0)
    return client
  }

  @Test("every chunk is put out in its turn, and healed before that")
  func inOrder() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 70_000, times: 1), .flip(Site.path, at: 2_000_000, times: 1)])
    let client = try clientWithFIFO()
    let path = client.scratch.path(Client.name)
    async let outcome = client.fetch(from: site)
    let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
    let report = try #require(await outcome.report)
    #expect(report.path == nil)
    #expect(report.discardedBytes == 2 * 65_536)
    #expect(try client.scratch.names() == [Client.name])
  }

  @Test("a server that ignores ranges, and connections that break, change nothing about the order")
  func oddServers() async throws {
    for site in [
      try Site(nil, [.on(.payload, .ignoreRange)]),
      try Site(connections: ConnectionFaults(cut: .init(every: 90_000, .close))),
    ] {
      var client = try clientWithFIFO()
      client.options.memoryBudget = 8 * 65_536
      let path = client.scratch.path(Client.name)
      async let outcome = client.fetch(from: site)
      let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
      let isRight = bytes == site.publication.bytes
      #expect(isRight)
      #expect(await outcome.report != nil)
    }
  }

  @Test("what may have been put out in part does not start over with another version")
  func replacedPublication() async throws {
    let old = try Publication.older()
    let site = try Site(nil, [.on(.manifest && .numberForPath(1), .serve(.bytes(old.manifest)))])
    let client = try clientWithFIFO()
    let path = client.scratch.path(Client.name)
    async let outcome = client.fetch(from: site)
    let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
    #expect(bytes.isEmpty)
    let error = try #require(await outcome.error)
    #expect(error.code == .sourceChanged && error.isRetryable)
  }

  @Test("a slow reader makes everything wait: no more is asked for than there are buffers")
  func slowReader() async throws {
    let site = try Site()
    var client = try clientWithFIFO()
    client.options.memoryBudget = 8 * 65_536
    let path = client.scratch.path(Client.name)
    async let outcome = client.fetch(from: site)
    let reader = try await onOwnThread { try FIFOReader(path) }
    // The window is six chunks, and a pipe takes one more.
    let window = UInt64(7 * 65_536)
    let recording = try await site.server.waitUntil { recording in
      let payload = recording.requests(to: Site.path)
      return payload.contains { $0.served?.upperBound == window } && payload.allSatisfy { $0.phase == .finished }
    }
    #expect(recording.requests(to: Site.path).allSatisfy { ($0.served?.upperBound ?? 0) <= window })
    let bytes = try await onOwnThread { try reader.readAll() }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
    #expect(await outcome.report?.discardedBytes == 0)
  }

  @Test("a reader that goes away ends it, with a code of its own")
  func closedReader() async throws {
    let site = try Site()
    let client = try clientWithFIFO()
    let path = client.scratch.path(Client.name)
    async let outcome = client.fetch(from: site)
    _ = try await onOwnThread { try FIFOReader(path).read(upTo: 1000) }
    #expect(await outcome.error?.code == .outputClosed)
  }

  @Test("a reader that never reads does not keep a cancelled transfer alive", arguments: [false, true])
  func cancelled(_ isAllFetched: Bool) async throws {
    // More than a pipe takes, and, so that all of it is fetched, no more than the window.
    let publication = try Publication(length: isAllFetched ? 5 * 65_536 : 40 * 65_536)
    let site = try Site(publication)
    var client = try clientWithFIFO()
    client.options.memoryBudget = 8 * 65_536
    let path = client.scratch.path(Client.name)
    let running = Task { [client] in await client.fetch(from: site) }
    let reader = try await onOwnThread { try FIFOReader(path) }
    try await site.server.waitUntil { recording in
      let payload = recording.requests(to: Site.path)
      return !payload.isEmpty && payload.allSatisfy { $0.phase == .finished }
    }
    running.cancel()
    #expect(await running.value.error?.code == .cancelled)
    reader.close()
  }

  @Test("without a manifest nothing is put out unless that was said to be wanted")
  func unverified() async throws {
    let site = try Site(hasManifest: false)
    var client = try clientWithFIFO()
    #expect(await client.fetch(from: site).error?.code == .notTrusted)
    client.options.manifest = .none
    let path = client.scratch.path(Client.name)
    async let outcome = client.fetch(from: site)
    let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
    #expect(await outcome.report?.trust == .unverified)
  }
}
