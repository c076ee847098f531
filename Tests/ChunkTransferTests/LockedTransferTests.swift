import ChunkCore
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// A lock file says what is wanted: exactly that comes, from anywhere, or nothing.
struct LockedTransferTests {
  /// What a lock file would say of a publication.
  private func locked(_ publication: Publication, digest: Bool = true, id: Bool = true) throws -> LockedFile {
    LockedFile(
      url: "http://origin.example/file.bin", length: UInt64(publication.bytes.count),
      fileID: id ? publication.fileID : nil, chunkSize: id ? ChunkSize(bytes: publication.chunkSize) : nil,
      sha256: digest ? publication.sha256 : nil)
  }

  private func client(_ locked: LockedFile, mirrors: [String] = []) throws -> Client {
    var client = try Client()
    client.options.locked = locked
    client.options.mirrors = mirrors
    client.options.retries = 2
    return client
  }

  /// The same bytes in chunks of another size.
  private func recut(_ publication: Publication) throws -> Publication {
    try Publication(publication.bytes, chunkSize: 2 * publication.chunkSize)
  }

  @Test("as long as the origin has it, it is pinned")
  func fromTheOrigin() async throws {
    let site = try Site()
    let report = try await client(locked(site.publication)).fetch(from: site).expectRight(site.publication)
    #expect(report.trust == .pinned)
  }

  @Test("with the origin gone a mirror has manifest and file")
  func originGone() async throws {
    let site = try Site()
    let origin = try Site()
    let url = origin.url
    origin.server.stop()
    let report = try await client(locked(site.publication), mirrors: [site.url]).fetch(url)
      .expectRight(site.publication)
    #expect(report.trust == .pinned)
  }

  @Test("with another version at the origin a mirror that has the old one is enough")
  func originChanged() async throws {
    let site = try Site()
    let origin = try Site(.older())
    let report = try await client(locked(site.publication), mirrors: [site.url]).fetch(origin.url)
      .expectRight(site.publication, discarding: nil)
    #expect(report.trust == .pinned)
  }

  @Test("in chunks of another size the digest of the whole decides", arguments: [true, false])
  func recut(atTheMirrorOnly: Bool) async throws {
    let publication = try Publication.standard()
    let site = try Site(recut(publication))
    let origin = try Site()
    let url = origin.url
    origin.server.stop()
    let report = try await client(locked(publication), mirrors: atTheMirrorOnly ? [site.url] : [])
      .fetch(atTheMirrorOnly ? url : site.url).expectRight(publication)
    #expect(report.trust == .digest)
    #expect(report.fileID == site.publication.fileID)
  }

  @Test("it is not enough where a manifest is required, nor when the lock has no digest")
  func recutIsNotEnough() async throws {
    let publication = try Publication.standard()
    let site = try Site(recut(publication))
    var strict = try client(locked(publication))
    strict.options.requiresVerification = true
    try await strict.fetch(from: site).expectFailure(.notTrusted)
    try await client(locked(publication, digest: false)).fetch(from: site).expectFailure(.notTrusted)
    #expect(site.payload.isEmpty)
  }

  @Test("another file in chunks of the same size, or of another length, costs no payload byte")
  func changed() async throws {
    let publication = try Publication.standard()
    let longer = try Publication(publication.bytes + [1], chunkSize: 2 * publication.chunkSize)
    for other in [try Publication.older(), longer] {
      let site = try Site(other)
      let error = try await client(locked(publication)).fetch(from: site).expectFailure(.notTrusted)
      #expect(error.message.contains("lock it anew"), "\(error)")
      #expect(site.payload.isEmpty)
    }
  }

  @Test("another file of the same length in other chunks is found out before it gets the name")
  func changedAndRecut() async throws {
    let site = try Site(recut(.older()))
    let error = try await client(locked(.standard())).fetch(from: site).expectFailure(.notTrusted)
    #expect(error.message.contains("it is not the one wanted"), "\(error)")
  }

  @Test("a file that is there and right by the wrong manifest is found out as well")
  func existingFile() async throws {
    let site = try Site(recut(.older()))
    let client = try client(locked(.standard()))
    try client.scratch.write(site.publication.bytes, to: Client.name)
    let outcome = await client.fetch(from: site)
    #expect(outcome.error?.code == .notTrusted)
    #expect(site.payload.isEmpty)
  }

  @Test("without any manifest the digest of the whole decides, at the first place that has the file")
  func withoutManifest() async throws {
    let (site, gone) = (try Site(hasManifest: false), try Site())
    let url = gone.url
    gone.server.stop()
    for hasID in [true, false] {
      let locked = try locked(site.publication, id: hasID)
      let report = try #require(await client(locked, mirrors: [site.url]).fetch(url).report)
      #expect(report.trust == .digest)
      #expect(report.sha256 == site.publication.sha256)
    }
    try await client(locked(.older())).fetch(from: site).expectFailure(.notTrusted)
    try await client(locked(.older(), digest: false)).fetch(from: site).expectFailure(.notTrusted)
  }

  @Test("what is reported can be locked, and downloaded again")
  func reported() async throws {
    let site = try Site()
    var first = try Client()
    first.options.computesSHA256 = true
    let report = try await first.fetch(from: site).expectRight(site.publication)
    #expect(report.sha256 == site.publication.sha256)
    let locked = try LockedFile(url: "http://me:secret@origin.example/file.bin?token=abc#part", report: report)
    #expect(locked.url == "http://origin.example/file.bin?token=…")
    #expect(!locked.hasWholeURL)
    #expect(try await client(locked).fetch(from: site).expectRight(site.publication).trust == .pinned)
    // A file that is there already is hashed for it as well.
    let again = try #require(await first.fetch(from: site).report)
    #expect(again.sha256 == site.publication.sha256)
    #expect(again.requests == 0)
  }

  @Test("a pinned manifest is looked for beside mirrors too")
  func pinnedManifestAtAMirror() async throws {
    let (origin, mirror) = (try Site(hasManifest: false), try Site())
    var client = try Client()
    client.options.fileID = mirror.publication.fileID
    client.options.mirrors = [mirror.url]
    try await client.fetch(from: origin).expectRight(mirror.publication)
    #expect(origin.server.recording.requests(to: Site.manifestPath).count == 1)
  }

  @Test("nobody but the origin says what is wanted when nothing is pinned")
  func unpinnedManifestAtAMirror() async throws {
    let (origin, mirror) = (try Site(hasManifest: false), try Site(.older()))
    var client = try Client()
    client.options.mirrors = [mirror.url]
    let report = try #require(await client.fetch(from: origin).report)
    #expect(report.trust == .unverified)
    #expect(mirror.server.recording.requests.isEmpty)
  }
}
