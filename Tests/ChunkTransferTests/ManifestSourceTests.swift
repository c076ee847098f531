import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Places that a manifest names.
struct ManifestSourceTests {
  private func publication(sources: [String]) throws -> Publication {
    try Publication(Publication.standard().bytes, sources: sources)
  }

  @Test("a place that the manifest names is as good as a mirror that the user gave")
  func another() async throws {
    let other = try Site(address: "127.0.0.2")
    let site = try Site(publication(sources: [other.url]), [.on(.payload, .status(404))])
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.sources.map(\.url) == [site.url, other.url])
    #expect(!other.payload.isEmpty)
  }

  @Test("one relative to the manifest is there, and the file itself is not one more")
  func relative() async throws {
    let site = try Site(publication(sources: ["copies/file.bin", "file.bin"]), [.on(.payload, .status(404))])
    site.server.setResource(.bytes(site.publication.bytes), at: "/copies/file.bin")
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.sources.map(\.url) == [site.url, site.server.url("/copies/file.bin")])
  }

  @Test(
    "what is no http or https URL, and relative ones of a manifest on disk, are passed over",
    arguments: ["ftp://example.org/x", "file:///etc/passwd", "http://", "x.bin"])
  func unusable(_ source: String) async throws {
    let site = try Site(publication(sources: [source]), hasManifest: false)
    let manifests = try TemporaryDirectory()
    var client = try Client()
    client.options.manifest = .at(try manifests.write(site.publication.manifest, to: "m.chunks"))
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.sources.count == 1)
  }

  @Test("its wrong bytes are no better than those of others")
  func wrong() async throws {
    let other = try Site(.older(), address: "127.0.0.2")
    let site = try Site(publication(sources: [other.url]))
    var client = try Client()
    client.options.connections = 4
    try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
  }
}
