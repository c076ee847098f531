import ChunkHTTP
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import FaultServer
import Testing

@testable import ChunkTransfer

/// Payload that is asked for while the manifest still comes.
struct EarlyStartTests {
  /// Long enough for a manifest that is not there at once: 45 KiB of it.
  private static let standard = Result { try Publication(length: 1440 * 4096 + 5, chunkSize: 4096) }

  private let publication: Publication
  private let gate = Gate()

  init() throws { publication = try Self.standard.get() }

  private func client() throws -> Client {
    var client = try Client()
    client.options.startsEarly = true
    return client
  }

  /// A site that sends the beginning of the manifest and waits.
  private func site(_ rules: FaultRule...) throws -> Site {
    try Site(publication, [.on(.manifest && .numberForPath(1), .stall(after: 2000, .gate(gate)))] + rules)
  }

  private func whenPayloadIsAskedFor(_ site: Site, _ action: () throws -> Void = {}) async throws {
    try await site.server.waitUntil { $0.requests(to: Site.path).count == 4 }
    try action()
    gate.open()
  }

  @Test("the first spans are asked for before the manifest is there, and are not asked for again")
  func early() async throws {
    let site = try site()
    async let outcome = client().fetch(from: site)
    try await whenPayloadIsAskedFor(site)
    let report = try await outcome.expectRight(publication)
    #expect(report.requests == site.payload.count)
    #expect(site.payloadBytesPromised == publication.bytes.count)
    #expect(site.hasOneRangeFieldAtMost)
  }

  /// What the payload requests get, and whether the file can be had then.
  static let possibleAnswers: [(String, FaultAction)] = [
    ("other ranges", .lengthen(by: 3000)), ("less", .limitRange(to: 3000)), ("whole bodies", .ignoreRange),
    ("a reset", .noAnswer(.reset)), ("a cut", .cut(after: 100_000, .close)), ("503", .status(503)),
    ("elsewhere", .redirect(307, to: "/other.bin")), ("no place", .contentRange(.missing)),
  ]

  @Test("whatever they are answered has the effect that it always has", arguments: possibleAnswers)
  func answers(_ name: String, _ action: FaultAction) async throws {
    let site = try site(.on(.payload && .numbersForPath(1...4), action))
    site.server.setResource(.bytes(publication.bytes), at: "/other.bin")
    async let outcome = client().fetch(from: site)
    try await whenPayloadIsAskedFor(site)
    try await outcome.expectRight(publication, discarding: nil)
  }

  @Test("answers that have come to their end before the manifest has are heard")
  func refused() async throws {
    let site = try site(.on(.payload, .status(404)))
    async let outcome = client().fetch(from: site)
    try await site.server.waitUntil { recording in
      recording.requests(to: Site.path).count { $0.phase == .finished } == 4
    }
    gate.open()
    try await outcome.expectFailure(.unreachable)
  }

  @Test("where only a pack has the file, what was asked for early in vain is no end")
  func onlyPack() async throws {
    // So long that the column is not in what is read first.
    let packed = try PackedPublication(chunks: 2200)
    let site = try Site(
      packed.file,
      [.on(.manifest && .numberForPath(1), .stall(after: 2000, .gate(gate))), .on(.payload, .status(404))])
    site.server.setResource(.bytes(packed.pack), at: PackedPublication.packPath)
    async let outcome = client().fetch(from: site)
    try await site.server.waitUntil { recording in
      recording.requests(to: Site.path).count { $0.phase == .finished } == 4
    }
    gate.open()
    let report = try await outcome.expectRight(packed.file)
    #expect(report.receivedBytes == UInt64(packed.pack.count))
  }

  @Test("when the manifest turns out to be none, nothing is taken of them")
  func notTrusted() async throws {
    var damaged = publication.manifest
    damaged[70] ^= 1
    let site = try site()
    site.server.setResource(.bytes(damaged), at: Site.manifestPath)
    async let outcome = client().fetch(from: site)
    try await whenPayloadIsAskedFor(site)
    let result = try await outcome
    try result.expectFailure(.notTrusted)
    #expect(try result.scratch.names().isEmpty)
  }

  @Test("when it is that of another file after all, they are sent anew")
  func another() async throws {
    let other = try Publication(length: 1_000_003, seed: 5, chunkSize: 16_384)
    let site = try Site(
      publication, [.on(.manifest && .numberForPath(1), .stall(after: 2000, .gate(gate)), .cut(after: 3000, .close))])
    async let outcome = client().fetch(from: site)
    try await whenPayloadIsAskedFor(site) {
      site.server.setResource(.bytes(other.bytes), at: Site.path)
      site.server.setResource(.bytes(other.manifest), at: Site.manifestPath)
    }
    try await outcome.expectRight(other, discarding: nil)
  }

  @Test("cancelled before the manifest is there, they end too")
  func cancelled() async throws {
    let site = try site()
    let client = try client()
    let task = Task { await client.fetch(from: site) }
    try await site.server.waitUntil { $0.requests(to: Site.path).count == 4 }
    task.cancel()
    let outcome = await task.value
    gate.open()
    try outcome.expectFailure(.cancelled)
    #expect(try outcome.scratch.names().isEmpty)
  }

  @Test(
    "where the manifest's answer took long all connections are opened at once, else four", arguments: [149, 150],
    [nil, 2, 16])
  func distance(_ milliseconds: Int, _ connections: Int?) async throws {
    let site = try site()
    var client = try client()
    client.options.connections = connections
    let url = try HTTPURL(site.url)
    let cancellation = Cancellation()
    let network = try Network(origin: url, options: client.options, cancellation: cancellation)
    defer { network.shutdown() }
    let transfer = Transfer(
      url: url, mirrors: [], output: .file(try OutputPath(client.scratch.path(Client.name))), options: client.options,
      cancellation: cancellation, observe: { _ in })
    let early = try #require(EarlyStart(transfer, network))
    // The beginning of a manifest of 64 MiB.
    let geometry = try ChunkGeometry(fileLength: 64 << 20, chunkSize: #require(ChunkSize(bytes: 4096)))
    var manifest = publication.manifest
    for place in 0..<8 { manifest[16 + place] = UInt8(truncatingIfNeeded: geometry.fileLength >> (8 * place)) }
    early.manifestBegins(manifest.span, after: .milliseconds(milliseconds))
    let requests = early.take(for: geometry)
    for request in requests { network.fetcher.cancel(request.fetch) }
    #expect(requests.count == connections ?? (milliseconds < 150 ? 4 : 16))
    #expect(requests.first?.chunks.lowerBound == ChunkIndex(0))
  }

  @Test("where something may be here already nothing is asked for early", arguments: 0..<6)
  func notThen(_ reason: Int) throws {
    var client = try client()
    switch reason {
    case 0: try client.scratch.write([1], to: Client.name)
    case 1: try client.scratch.write([1], to: Client.name + ".part")
    case 2: client.options.seeds = [client.scratch.path("seed")]
    case 3: client.options.store = client.scratch.path("store")
    case 4: client.options.startsEarly = false
    default: break
    }
    let output = try OutputPath(client.scratch.path(Client.name))
    let url = try HTTPURL("http://127.0.0.1:1/f")
    let cancellation = Cancellation()
    let network = try Network(origin: url, options: client.options, cancellation: cancellation)
    defer { network.shutdown() }
    let transfer = Transfer(
      url: url, mirrors: [], output: .file(output), options: client.options, cancellation: cancellation,
      observe: { _ in })
    #expect((EarlyStart(transfer, network) == nil) == (reason < 5))
  }
}
