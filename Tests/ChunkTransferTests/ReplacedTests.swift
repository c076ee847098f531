import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Publications that are replaced while somebody downloads them.
struct ReplacedTests {
  /// 4 groups of leaf pages, so that the manifest is read in more than one piece.
  private func longPublication(seed: UInt64) throws -> Publication {
    try Publication(length: 3 * 1024 * 4096 + 5, seed: seed, chunkSize: 4096)
  }

  @Test("file and manifest replaced together, the old manifest in a cache: the new file, by the new manifest")
  func oldManifestInACache() async throws {
    let old = try Publication.older()
    let site = try Site(
      nil, [.on(.manifest && !.headerValue("Cache-Control", "no-cache"), .serve(.bytes(old.manifest)))])
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.fileID == site.publication.fileID)
  }

  @Test("what is right already by either manifest is not fetched again")
  func keepsWhatIsRight() async throws {
    let new = try Publication.standard()
    var oldBytes = new.bytes
    let chunk = new.chunkSize
    // All but the first eight chunks are the same in both versions.
    for index in 0..<(8 * chunk) { oldBytes[index] ^= 1 }
    let old = try Publication(oldBytes)
    let site = try Site(
      new, [.on(.manifest && !.headerValue("Cache-Control", "no-cache"), .serve(.bytes(old.manifest)))])
    let client = try Client()
    try client.scratch.write(
      [UInt8](repeating: 1, count: 8 * chunk) + oldBytes[(8 * chunk)...], to: Client.name + ".part")
    let report = try await client.fetch(from: site).expectRight(new)
    #expect(report.fetchedBytes == UInt64(8 * chunk))
  }

  @Test("a manifest that is replaced while it is read: the new one, if the file is new too")
  func replacedWhileRead() async throws {
    let old = try longPublication(seed: 5)
    let new = try longPublication(seed: 6)
    let site = try Site(new, [.on(.manifest && .numberForPath(1), .serve(.bytes(old.manifest)))])
    try await Client().fetch(from: site).expectRight(new, discarding: nil)
  }

  @Test("a new manifest over an old file: no byte of it is believed")
  func onlyTheManifest() async throws {
    let old = try longPublication(seed: 5)
    let new = try longPublication(seed: 6)
    let site = try Site(old, [.on(.manifest && .numberForPath(2...), .serve(.bytes(new.manifest)))])
    try await Client().fetch(from: site).expectFailure(.noRightBytes)
  }

  @Test("one that is another at each look is not waited for")
  func neverTheSame() async throws {
    let versions = try (0..<8).map { try Publication(length: 500_000, seed: 100 + $0) }
    let rules = versions.enumerated().map { number, version in
      FaultRule.on(.manifest && .numberForPath(number + 1), .serve(.bytes(version.manifest)))
    }
    let site = try Site(Publication(length: 500_000, seed: 99), rules)
    let error = try await Client().fetch(from: site).expectFailure(.sourceChanged)
    #expect(error.isRetryable)
    #expect(site.server.recording.requests(to: Site.manifestPath).count == 5)
  }

  @Test("a pinned file is not another one, whatever the manifest becomes")
  func pinned() async throws {
    let old = try Publication.older()
    let site = try Site(nil, [.on(.manifest && .numberForPath(1), .serve(.bytes(old.manifest)))])
    var client = try Client()
    client.options.fileID = old.fileID
    try await client.fetch(from: site).expectFailure(.noRightBytes)
    #expect(site.server.recording.requests(to: Site.manifestPath).count == 1)
  }

  @Test("the look at the manifest holds nothing up")
  func doesNotWait() async throws {
    let gate = Gate()
    let site = try Site(
      nil,
      [.on(.manifest && .numberForPath(2...), .holdHead(.gate(gate)))]
        + [0, 70_000, 140_000].map { .flip(Site.path, at: $0, times: 1) })
    var client = try Client()
    client.options.connections = 1
    try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    gate.open()
  }
}
