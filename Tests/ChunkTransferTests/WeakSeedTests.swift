import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import FaultServer
import Testing

@testable import ChunkTransfer

/// Bytes inserted into a file, or cut out of it: the `weak` column finds the chunks where they are now.
struct WeakSeedTests {
  private static let size = 4096

  /// A new version of which every chunk but few is in the old one, at no multiple of the chunk size.
  private func publication(_ bytes: [UInt8], weak: (([UInt64]) -> [UInt64])? = { $0 }) throws -> Publication {
    try Publication(bytes, chunkSize: Self.size, changingWeakHashes: weak)
  }

  private func fetch(_ site: Site, seed: [UInt8]) async throws -> TransferReport {
    var client = try Client()
    client.options.seeds = [try client.scratch.write(seed, to: "seed")]
    let report = try #require(await client.fetch(from: site).report)
    let isRight = client.scratch.read(Client.name) == site.publication.bytes
    #expect(isRight)
    #expect(report.discardedBytes == 0)
    #expect(report.fetchedBytes == UInt64(site.payloadBytesPromised))
    return report
  }

  @Test("1000 bytes inserted at the start, or in the middle, or cut out: at most two chunks are fetched")
  func inserted() async throws {
    let old = Content.pattern(length: 3_000_000, seed: 21).all
    let inserted = [UInt8](repeating: 0x5C, count: 1000)
    for new in [
      inserted + old, Array(old[..<1_234_567]) + inserted + old[1_234_567...], Array(old[..<99_999] + old[100_999...]),
    ] {
      let report = try await fetch(Site(publication(new)), seed: old)
      #expect(report.fetchedBytes <= UInt64(2 * Self.size))
    }
  }

  @Test("without the column all of it is fetched, and so it is with one that says nothing true")
  func withoutColumn() async throws {
    let old = Content.pattern(length: 500_000, seed: 22).all
    let new = [1] + old
    let tail = UInt64(new.count % Self.size)
    for weak: (([UInt64]) -> [UInt64])? in [
      nil, { $0.map { _ in 0 } }, { $0.map { _ in 1 } }, { $0.map { ~$0 } }, { $0.map { $0 ^ 1 } },
    ] {
      let report = try await fetch(Site(publication(new, weak: weak)), seed: old)
      #expect(report.reusedBytes == tail)
    }
  }

  @Test("the column is read of the groups that need it, from a server, a file, and one that knows no ranges")
  func columnPlaces() async throws {
    let old = Content.pattern(length: UInt64(3000 * Self.size), seed: 23).all
    // Of the three groups the middle one is shifted; the others are as they were.
    var new = old
    new.replaceSubrange(
      1024 * Self.size..<2048 * Self.size, with: [9] + old[(1024 * Self.size)..<(2048 * Self.size - 1)])
    let publication = try publication(new)
    let site = try Site(publication)
    #expect(try await fetch(site, seed: old).fetchedBytes == UInt64(Self.size))
    let column = try #require(
      site.server.recording.requests(to: Site.manifestPath).last?.served, "the column was not asked for")
    #expect(column.count == 8 * 1024)

    let noRanges = try Site(publication, [.on(.manifest, .ignoreRange)])
    #expect(try await fetch(noRanges, seed: old).fetchedBytes == UInt64(Self.size))

    var client = try Client()
    client.options.seeds = [try client.scratch.write(old, to: "seed")]
    client.options.manifest = .at(try client.scratch.write(publication.manifest, to: "manifest"))
    let report = try #require(await client.fetch(from: Site(publication, hasManifest: false)).report)
    #expect(report.fetchedBytes == UInt64(Self.size))
  }

  @Test("an older version at the output is searched too")
  func atOutput() async throws {
    let old = Content.pattern(length: 700_001, seed: 24).all
    let site = try Site(publication([1, 2, 3] + old))
    let client = try Client()
    try client.scratch.write(old, to: Client.name)
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.fetchedBytes <= UInt64(2 * Self.size))
  }
}
