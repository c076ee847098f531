import ChunkCore
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Whole-file digests, from wherever they come: they decide where there is no manifest, and count where there is one.
struct WantedDigestTests {
  private func digest(of publication: Publication) -> String { publication.sha256.hex }
  private let wrong = String(repeating: "0", count: 64)

  @Test("in the URL, with and without a manifest", arguments: [true, false])
  func inTheURL(_ hasManifest: Bool) async throws {
    let site = try Site(hasManifest: hasManifest)
    let right = try #require(
      await Client().fetch(site.url + "#sha256=" + digest(of: site.publication)).report)
    #expect(right.trust == (hasManifest ? .transport : .digest))
    try await Client().fetch(site.url + "#sha256=" + wrong).expectFailure(.notTrusted)
    try await Client().fetch(site.url + "#sha256=12").expectFailure(.invalidRequest)
    // Any other fragment means something else, to somebody else.
    #expect(try await Client().fetch(site.url + "#page=2").report != nil)
  }

  @Test("in a list, from a file or a URL, with and without a manifest", arguments: [true, false], [true, false])
  func inAList(_ isLocal: Bool, _ hasManifest: Bool) async throws {
    let site = try Site(hasManifest: hasManifest)
    let lists = try TemporaryDirectory()
    func client(_ list: String) throws -> Client {
      var client = try Client()
      if isLocal {
        client.options.checksums = try lists.write(Array(list.utf8), to: "SHA256SUMS")
      } else {
        site.server.setResource(.bytes(Array(list.utf8)), at: "/SHA256SUMS")
        client.options.checksums = site.server.url("/SHA256SUMS")
      }
      return client
    }
    let name = "file.bin"
    let right = try #require(
      try await client("\(wrong)  other\n\(digest(of: site.publication)) *\(name)\n").fetch(from: site).report)
    #expect(right.trust == (hasManifest ? .transport : .digest))
    for list in [
      "\(wrong)  \(name)\n", "\(wrong)  other\n", "", "\(wrong)  \(name)\n\(digest(of: site.publication))  \(name)\n",
    ] {
      try await client(list).fetch(from: site).expectFailure(.notTrusted)
    }
  }

  @Test("a list that is not to be had is an error, and nothing is fetched")
  func noList() async throws {
    let site = try Site()
    var client = try Client()
    client.options.checksums = site.server.url("/absent")
    try await client.fetch(from: site).expectFailure(.unreachable)
    client.options.checksums = client.scratch.path("absent")
    try await client.fetch(from: site).expectFailure(.notTrusted)
    #expect(site.payload.isEmpty)
  }

  @Test("who says different things is believed in nothing")
  func contradiction() async throws {
    let site = try Site()
    var client = try Client()
    client.options.sha256 = SHA256Digest(hex: wrong)
    let error = try await client.fetch(site.url + "#sha256=" + digest(of: site.publication)).expectFailure(.notTrusted)
    #expect(error.message.contains(wrong))
    #expect(site.payload.isEmpty)
  }

  /// The digest as the field has it.
  private func field(_ hex: String) throws -> String {
    let digest = try #require(SHA256Digest(hex: hex))
    return "md5=:AAAA:, sha-256=:\(Base64.encode(digest.bytes)):"
  }

  @Test("of the server (Repr-Digest), where nobody else says one")
  func ofTheServer() async throws {
    let publication = try Publication.standard()
    for (hex, isRight) in [(digest(of: publication), true), (wrong, false)] {
      let site = try Site(nil, [.on(.payload, .addHeader("Repr-Digest", try field(hex)))], hasManifest: false)
      let outcome = try await Client().fetch(from: site)
      if isRight {
        #expect(outcome.report?.trust == .digest)
      } else {
        try outcome.expectFailure(.notTrusted)
        #expect(try outcome.scratch.names().isEmpty)
      }
      // What the caller says goes first.
      var client = try Client()
      client.options.sha256 = publication.sha256
      #expect(await client.fetch(from: site).report?.trust == .digest)
    }
  }
}
