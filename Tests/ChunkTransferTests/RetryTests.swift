import ChunkTransfer
import FaultServer
import Testing

/// Servers that ask for patience.
struct RetryTests {
  @Test("statuses that ask for another attempt get one", arguments: [408, 425, 429, 500, 502, 503, 504, 520, 527])
  func again(_ status: Int) async throws {
    let site = try Site(nil, [.on(.payload, .status(status), times: 2)])
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.requests > 2)
  }

  @Test("statuses that are final end it at once", arguments: [400, 401, 403, 404, 405, 410, 451, 501])
  func final(_ status: Int) async throws {
    let site = try Site(nil, [.on(.payload, .status(status))])
    let error = try await Client().fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains(site.url))
    #expect(!error.isRetryable)
    #expect(site.payload.count <= 4)
  }

  @Test("one request is refused for good while others are still running: it ends when they do")
  func finalWhileOthersRun() async throws {
    let gate = Gate()
    let site = try Site(
      nil,
      [
        .on(.payload && .numberForPath(2), .status(404)),
        .on(.payload && !.numberForPath(2), .holdBody(.gate(gate))),
      ])
    let client = try Client()
    let running = Task { await client.fetch(from: site) }
    try await site.server.waitUntil { recording in
      recording.held == 3 && recording.requests.contains { $0.status == 404 && $0.phase == .finished }
    }
    gate.open()
    try await running.value.expectFailure(.unreachable)
  }

  @Test(
    "what Retry-After asks for is never undercut",
    arguments: [FaultAction.RetryAfter.seconds(1), .date(secondsFromNow: 1)])
  func retryAfter(_ wait: FaultAction.RetryAfter) async throws {
    let site = try Site(nil, [.on(.payload, .status(503, retryAfter: wait), times: 1)])
    var client = try Client()
    client.options.connections = 1
    try await client.fetch(from: site).expectRight(site.publication)
    let requests = site.payload
    #expect(requests[0].arrived.duration(to: requests[1].arrived) >= .seconds(1))
  }

  @Test("a Retry-After that is none is passed over", arguments: ["soon", "-5", "", "99999999999999999999"])
  func nonsense(_ text: String) async throws {
    let site = try Site(nil, [.on(.payload, .status(503, retryAfter: .text(text)), times: 1)])
    let outcome = try await Client().fetch(from: site)
    // More seconds than there are is a wait beyond every patience.
    if text.count > 10, outcome.error != nil {
      try outcome.expectFailure(.unreachable)
    } else {
      try outcome.expectRight(site.publication)
    }
  }

  @Test("a wait beyond the patience gives the source up")
  func tooLong() async throws {
    let site = try Site(nil, [.on(.payload, .status(503, retryAfter: .seconds(3600)))])
    let error = try await Client().fetch(from: site).expectFailure(.unreachable)
    #expect(error.isRetryable)
    let mirror = try Site(address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    try await client.fetch(from: site).expectRight(site.publication)
  }

  @Test(
    "a server that allows two connections and answers 429 to more is finished with two", arguments: [1, 5], [nil, 4])
  func twoConnections(_ retries: Int, _ connections: Int?) async throws {
    let first = Gate()
    let second = Gate()
    let site = try Site(
      nil,
      [
        .on(.payload && .numbersForPath(1...2), .holdBody(.gate(first))),
        .on(.payload && .numbersForPath(3...4), .status(429, retryAfter: .seconds(1))),
        .on(.payload && .numberForPath(5...), .holdBody(.gate(second))),
      ])
    var client = try Client()
    client.options.retries = retries
    client.options.connections = connections
    let download = try client.download(site.url)
    let running = Task { [client] in await client.run(download) }
    // Both refusals have arrived.
    for await progress in download.progress where progress.connections == 2 { break }
    first.open()
    let late = try await site.server.waitUntil { $0.requests.count >= 7 && $0.held >= 2 }
    #expect(late.held == 2)
    second.open()
    try await running.value.expectRight(site.publication)

    let requests = site.payload
    #expect(requests.count { $0.status == 429 } == 2)
    let refusal = try #require(requests.last { $0.status == 429 })
    for request in requests[4...] {
      #expect(refusal.arrived.duration(to: request.arrived) >= .seconds(1))
    }
  }

  @Test("a server that serves two at once, and refuses whoever comes third, is not asked earlier than it says")
  func servesTwo() async throws {
    // Two are being served until the others have come in between, and then it goes at the speed of the machine.
    let gate = Gate()
    let site = try Site(
      nil,
      [
        .on(.payload && .activeRequests(above: 2), .status(429, retryAfter: .seconds(1))),
        .on(.payload && .numbersForPath(1...4), .holdBody(.gate(gate))),
      ])
    var client = try Client()
    client.options.connections = nil
    async let outcome = client.fetch(from: site)
    try await site.server.waitUntil { $0.requests(to: Site.path).count == 4 }
    gate.open()
    try await outcome.expectRight(site.publication)
    let requests = site.payload
    let refusals = requests.filter { $0.status == 429 }
    #expect((2...4).contains(refusals.count))
    for refusal in refusals {
      let later = requests.filter { $0.arrived > refusal.arrived && $0.status != 429 }
      #expect(later.allSatisfy { refusal.arrived.duration(to: $0.arrived) >= .seconds(1) })
    }
  }

  @Test("a server that sends one byte of each range is not asked for ever")
  func oneByteAtATime() async throws {
    let site = try Site(nil, [.on(.payload, .limitRange(to: 1))])
    var client = try Client()
    client.options.connections = 1
    client.options.retries = 3
    let error = try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains("next to nothing"))
    #expect(site.payload.count == 4)
    let mirror = try Site(address: "127.0.0.2")
    client.options.mirrors = [mirror.url]
    try await client.fetch(from: site).expectRight(site.publication)
  }

  @Test("a host that is busy lowers its own connections, not those of another one")
  func onlyTheBusyHost() async throws {
    let gate = Gate()
    let site = try Site(nil, [.on(.payload, .holdBody(.gate(gate)))])
    let busy = try Site(nil, [.on(.payload, .status(503))], address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [busy.url]
    client.options.retries = 3
    let running = Task { [client] in await client.fetch(from: site) }
    try await site.server.waitUntil { $0.held == 4 }
    gate.open()
    try await running.value.expectRight(site.publication)
    #expect(!busy.payload.isEmpty)
  }
}
