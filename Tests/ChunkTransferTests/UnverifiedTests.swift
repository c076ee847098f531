import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Downloads for which there is no manifest.
struct UnverifiedTests {
  private func client() throws -> Client {
    var client = try Client()
    client.options.manifest = .none
    return client
  }

  /// The file is there, right and alone; nothing vouches for it.
  private func expectRight(_ outcome: Outcome, _ site: Site, trust: TrustLevel = .unverified) throws {
    let report = try #require(outcome.report, "failed: \(String(describing: outcome.error))")
    let isRight = outcome.scratch.read(Client.name) == site.publication.bytes
    #expect(isRight)
    #expect(try outcome.scratch.names() == [Client.name])
    #expect(report.trust == trust)
    #expect(report.fileID == nil)
  }

  @Test("lengths", arguments: [0, 1, 4096, 1_000_000])
  func lengths(_ length: Int) async throws {
    let site = try Site(Publication(length: length))
    try expectRight(try await client().fetch(from: site), site)
  }

  @Test("parts come in parallel, each on the condition that it is of the same version")
  func parallel() async throws {
    let gate = Gate()
    let site = try Site(nil, [.on(.payload && .numberForPath(2...), .holdBody(.gate(gate)))])
    let client = try client()
    let running = Task { await client.fetch(from: site) }
    try await site.server.waitUntil { $0.held == 4 }
    gate.open()
    try expectRight(await running.value, site)
    let tag = try #require(Resource.bytes(site.publication.bytes).etag)
    #expect(site.payload.dropFirst().allSatisfy { $0.header("If-Range") == tag })
    #expect(site.hasOneRangeFieldAtMost)
  }

  @Test("a date is a condition too, where there is no tag")
  func byDate() async throws {
    let site = try Site(nil, [.on(.payload, .etag(.none))])
    try expectRight(try await client().fetch(from: site), site)
    #expect(site.payload.dropFirst().allSatisfy { $0.range == nil || $0.header("If-Range")?.hasSuffix("GMT") == true })
  }

  @Test(
    "with nothing that tells versions apart there is one connection",
    arguments: [FaultAction.TagFault.noValidators, .weak])
  func noValidator(_ fault: FaultAction.TagFault) async throws {
    let site = try Site(nil, [.on(.payload, .etag(fault), .dropHeader("Last-Modified"))])
    try expectRight(try await client().fetch(from: site), site)
    // One that asks, and one for all of it.
    #expect(site.payload.count == 2)
    #expect(site.payload.last?.range == nil)
  }

  @Test("without ranges, and without a length, it comes as one stream", arguments: [true, false])
  func oneStream(_ saysLength: Bool) async throws {
    let site = try Site(
      nil, [.on(.payload, .ignoreRange), .on(.payload, saysLength ? .closeAfter : .chunked(withLength: false))])
    try expectRight(try await client().fetch(from: site), site)
  }

  @Test("a stream without a length that always breaks ends after as many retries as were allowed")
  func streamBreaks() async throws {
    let site = try Site(
      nil,
      [
        .on(.payload && .numberForPath(2...), .ignoreRange, .chunked(withLength: false), .cut(after: 100_000, .close)),
        .on(.payload, .ignoreRange, .chunked(withLength: false)),
      ])
    var client = try client()
    client.options.retries = 2
    try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(site.payload.count == 4)
  }

  @Test("another version midway is an error, and nothing gets the name", arguments: [true, false])
  func changedMidway(_ isAsLong: Bool) async throws {
    let other = try isAsLong ? Publication.older() : Publication(length: 2_000_000, seed: 4)
    let site = try Site(nil, [.on(.payload && .numberForPath(3...), .serve(.bytes(other.bytes)))])
    let error = try await client().fetch(from: site).expectFailure(.sourceChanged)
    #expect(error.message.contains(site.url))
  }

  @Test("connections that break are gone on with, as long as the version is the same")
  func breaksOff() async throws {
    let site = try Site(connections: ConnectionFaults(cut: .init(every: 300_000, .reset)))
    try expectRight(try await client().fetch(from: site), site)
  }

  @Test("a digest of the whole decides: right")
  func digestIsRight() async throws {
    let site = try Site()
    var client = try client()
    client.options.sha256 = site.publication.sha256
    try expectRight(await client.fetch(from: site), site, trust: .digest)
  }

  @Test("a digest of the whole decides: wrong, and the partial is not used again")
  func digestIsWrong() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 1_000_000)])
    var client = try client()
    client.options.sha256 = site.publication.sha256
    try await client.fetch(from: site).expectFailure(.notTrusted)
    #expect(try client.scratch.names().isEmpty)
  }

  @Test("an existing file is replaced only by a complete new one")
  func existing() async throws {
    let site = try Site(nil, [.on(.payload && .numberForPath(2...), .status(404))])
    let client = try client()
    try client.scratch.write([1, 2, 3], to: Client.name)
    let outcome = await client.fetch(from: site)
    #expect(outcome.error?.code == .unreachable)
    #expect(client.scratch.read(Client.name) == [1, 2, 3])
    site.server.setScript(FaultScript())
    try expectRight(await client.fetch(from: site), site)
  }

  @Test("without a file there is nothing but the refusal", arguments: [403, 404, 410])
  func refused(_ status: Int) async throws {
    let site = try Site(nil, [.on(.payload, .status(status))])
    let error = try await client().fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains("\(status)"))
  }
}
