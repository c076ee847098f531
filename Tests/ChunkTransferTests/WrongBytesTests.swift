import ChunkTransfer
import FaultServer
import Testing

/// Bytes that are not those the manifest names.
struct WrongBytesTests {
  @Test("a bit that was flipped once costs that chunk, and nothing else")
  func once() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 1_500_000, times: 1)])
    let chunk = 1_500_000 / site.publication.chunkSize
    let report = try await Client().fetch(from: site)
      .expectRight(site.publication, discarding: site.publication.chunkSize)
    #expect(report.sources[0].wrongChunks == [ChunkIndex(chunk)])
    #expect(!report.sources[0].isQuarantined)
    let range = site.publication.range(ofChunk: chunk)
    #expect(site.payload.count { $0.served == UInt64(range.lowerBound)..<UInt64(range.upperBound) } == 1)
  }

  @Test("a source that always gets a chunk wrong is quarantined and named, and the other one finishes")
  func alwaysOneChunk() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 10)])
    let mirror = try Site(address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    let report = try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources[0].wrongChunks == [ChunkIndex(0)])
    // Once more from the same one is all that can be done while the other has not answered yet.
    #expect(report.discardedBytes <= UInt64(2 * site.publication.chunkSize))
    #expect(!mirror.payload.isEmpty)
  }

  @Test("a mirror with an older version of the same length is quarantined by its hashes")
  func olderMirror() async throws {
    let site = try Site()
    let mirror = try Site(.older(), address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    let report = try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources[1].isQuarantined)
    #expect(report.sources[1].url == mirror.url)
    #expect(!report.sources[1].wrongChunks.isEmpty)
    #expect(!report.sources[0].isQuarantined && report.sources[0].wrongChunks.isEmpty)
  }

  @Test("an origin with wrong bytes is no better than a mirror")
  func wrongOrigin() async throws {
    let site = try Site()
    site.server.setResource(.bytes(try Publication.older().bytes), at: Site.path)
    let mirror = try Site(address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    let report = try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
    #expect(report.sources[0].isQuarantined)
  }

  @Test("a mirror with a version of another length is not used, and not blamed for bytes it never gave")
  func longerMirror() async throws {
    let site = try Site()
    let mirror = try Site(Publication(length: 4_000_000, seed: 3), address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(!report.sources[1].isQuarantined)
    #expect(report.sources[1].receivedBytes == 0)
  }

  @Test("one of two sources gives whole bodies only: a wrong chunk of the other is asked for there once more")
  func otherGivesWholeBodies() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 2_000_000, times: 1)])
    let mirror = try Site(nil, [.on(.payload, .ignoreRange)], address: "127.0.0.2")
    var client = try Client()
    client.options.mirrors = [mirror.url]
    try await client.fetch(from: site).expectRight(site.publication, discarding: nil)
  }

  @Test("what the only source always gets wrong is the end, and everything else is kept")
  func onlySource() async throws {
    let site = try Site(nil, [.flip(Site.path, at: 2_000_000)])
    let chunk = 2_000_000 / site.publication.chunkSize
    let client = try Client()
    let error = try await client.fetch(from: site).expectFailure(.noRightBytes)
    let range = site.publication.range(ofChunk: chunk)
    #expect(error.message.contains("\(range.lowerBound)-\(range.upperBound - 1)"))
    #expect(error.message.contains(site.url))
    #expect(site.payload.count { $0.served == UInt64(range.lowerBound)..<UInt64(range.upperBound) } == 2)

    site.server.setScript(FaultScript())
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.reusedBytes > 0)
  }

  @Test("bytes left out move the rest: a resumed range does not hide it")
  func omitted() async throws {
    let site = try Site(nil, [.on(.payload, .omit(1_000_000..<1_000_010), times: 1)])
    try await Client().fetch(from: site).expectRight(site.publication, discarding: nil)
  }

  @Test("file and manifest of different versions: the manifest is looked at once more, past caches")
  func differentVersions() async throws {
    let site = try Site()
    site.server.setResource(.bytes(try Publication.older().bytes), at: Site.path)
    try await Client().fetch(from: site).expectFailure(.noRightBytes)
    let manifests = site.server.recording.requests(to: Site.manifestPath)
    #expect(manifests.count { $0.header("Cache-Control") == "no-cache" } == 1)
  }
}
