import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// What the place where a manifest should be has instead.
struct ManifestTests {
  @Test(
    "a refusal that says that there is none: the download goes on unverified, and says so",
    arguments: [401, 403, 404, 410])
  func absent(_ status: Int) async throws {
    let site = try Site(nil, [.on(.manifest, .status(status))])
    let report = try #require(try await Client().fetch(from: site).report)
    #expect(report.trust == .unverified)
    #expect(report.fileID == nil)
  }

  @Test("a page of HTML with 200 is no manifest")
  func html() async throws {
    let site = try Site(nil, [.on(.manifest, .status(200, body: Array("<html>not here</html>".utf8)))])
    let report = try #require(try await Client().fetch(from: site).report)
    #expect(report.trust == .unverified)
  }

  @Test("one that was asked for and is not there is an error")
  func required() async throws {
    let site = try Site(hasManifest: false)
    var client = try Client()
    client.options.requiresVerification = true
    try await client.fetch(from: site).expectFailure(.notTrusted)
    client.options.requiresVerification = false
    client.options.fileID = site.publication.fileID
    try await client.fetch(from: site).expectFailure(.notTrusted)
    client.options.fileID = nil
    client.options.manifest = .at(site.server.url("/elsewhere.chunks"))
    try await client.fetch(from: site).expectFailure(.notTrusted)
    #expect(site.payload.isEmpty)
  }

  enum Damage: CaseIterable {
    case header, table, groupRoots, leaves, truncatedHeader, truncatedLeaves

    func apply(to manifest: [UInt8]) -> [UInt8] {
      var bytes = manifest
      switch self {
      case .header: bytes[40] ^= 1
      case .table: bytes[70] ^= 1
      case .groupRoots: bytes[64 + 48 + 3] ^= 1
      case .leaves: bytes[bytes.count - 1] ^= 1
      case .truncatedHeader: bytes.removeLast(bytes.count - 40)
      case .truncatedLeaves: bytes.removeLast(10)
      }
      return bytes
    }
  }

  @Test(
    "one that has the magic and is not valid is an error, and no byte is fetched on its word",
    arguments: Damage.allCases)
  func invalid(_ damage: Damage) async throws {
    let site = try Site()
    site.server.setResource(.bytes(damage.apply(to: site.publication.manifest)), at: Site.manifestPath)
    try await Client().fetch(from: site).expectFailure(.notTrusted)
    #expect(site.payload.isEmpty)
  }

  @Test("failures that may pass are tried again", arguments: [500, 503, 520, 429])
  func failsFirst(_ status: Int) async throws {
    let site = try Site(nil, [.on(.manifest, .status(status), times: 2)])
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.trust == .transport)
  }

  @Test("a server that keeps failing is no server without a manifest", arguments: [500, 503])
  func keepsFailing(_ status: Int) async throws {
    let site = try Site(nil, [.on(.manifest, .status(status))])
    var client = try Client()
    client.options.retries = 2
    let error = try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(error.message.contains("--no-manifest"))
    #expect(site.server.recording.requests(to: Site.manifestPath).count == 3)
    #expect(site.payload.isEmpty)
  }

  @Test("a manifest that breaks off is read again")
  func breaksOff() async throws {
    let site = try Site(nil, [.on(.manifest, .cut(after: 700, .reset), times: 2)])
    try await Client().fetch(from: site).expectRight(site.publication)
  }

  @Test("a pin decides: another file's manifest is refused, the right one makes the trust the strongest")
  func pinned() async throws {
    let site = try Site()
    var client = try Client()
    client.options.fileID = try Publication.older().fileID
    try await client.fetch(from: site).expectFailure(.notTrusted)
    #expect(site.payload.isEmpty)
    client.options.fileID = site.publication.fileID
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.trust == .pinned)
  }

  @Test("a manifest on disk needs no server for it")
  func fromAFile() async throws {
    let site = try Site(hasManifest: false)
    let manifests = try Client()
    try manifests.scratch.write(site.publication.manifest, to: "m.chunks")
    var client = try Client()
    client.options.manifest = .at(manifests.scratch.path("m.chunks"))
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.trust == .localManifest)
    #expect(site.server.recording.requests.count == site.payload.count)
  }

  /// 4 groups of leaf pages, so that the manifest is read in more than one piece.
  private func longPublication(seed: UInt64) throws -> Publication {
    try Publication(length: 3 * 1024 * 4096 + 5, seed: seed, chunkSize: 4096)
  }

  @Test("a long manifest is read by pages, all of one version", arguments: [true, false])
  func byPages(_ givesRanges: Bool) async throws {
    let publication = try longPublication(seed: 5)
    let site = try Site(publication, givesRanges ? [] : [.on(.manifest, .ignoreRange)])
    try await Client().fetch(from: site).expectRight(publication)
    let manifests = site.server.recording.requests(to: Site.manifestPath)
    #expect(manifests.count >= 2)
    #expect(manifests.dropFirst().allSatisfy { $0.header("If-Range") != nil })
  }

  @Test("ranges that begin earlier or end sooner than asked for are as good", arguments: [100, 10_000, 40_000])
  func oddRanges(_ size: UInt64) async throws {
    let publication = try longPublication(seed: 5)
    for fault in [FaultAction.limitRange(to: size), .alignStart(size)] {
      let site = try Site(publication, [.on(.manifest && .ranged, fault)])
      try await Client().fetch(from: site).expectRight(publication)
    }
  }

  @Test("one that comes too slowly is asked for again")
  func trickles() async throws {
    let site = try Site(nil, [.on(.manifest, .trickle(bytes: 1, every: .milliseconds(20)), times: 1)])
    var client = try Client()
    client.options.stallTimeout = .milliseconds(300)
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.server.recording.requests(to: Site.manifestPath).count == 2)
  }

  @Test(
    "metadata longer than the first read is read on, from servers that know ranges and others",
    arguments: [true, false])
  func longMetadata(_ givesRanges: Bool) async throws {
    let comment = String(repeating: "c", count: 200_000)
    let publication = try Publication(Publication.standard().bytes, comment: comment)
    let site = try Site(publication, [.on(.manifest, givesRanges ? .limitRange(to: 50_000) : .ignoreRange)])
    try await Client().fetch(from: site).expectRight(publication)
  }
}
