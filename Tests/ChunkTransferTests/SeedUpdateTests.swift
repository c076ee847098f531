import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import FaultServer
import Testing

@testable import ChunkTransfer

/// Updates of large files: what an old version leaves to be fetched, of the file and of its manifest.
struct SeedUpdateTests {
  // MARK: Group roots

  // So many groups, and yet no more than any disk has room for.
  private static let chunkSize = 4 << 10
  private static let length: UInt64 = 1 << 30 | 12_345

  /// A sparse file with a little data in every eighth group, and its manifest.
  private struct SparseFile {
    let path: String
    let manifest: [UInt8]

    init(_ name: String, in directory: TemporaryDirectory, corner: UInt8) throws {
      path = try directory.write([], to: name)
      try TestFile.truncate(path, to: length)
      let geometry = try ChunkGeometry(
        fileLength: length, chunkSize: try #require(ChunkSize(bytes: chunkSize)))
      var ids = geometry.chunks.map { _ in ZeroChunk.id(length: chunkSize) }
      ids[ids.count - 1] = ZeroChunk.id(length: geometry.length(of: ChunkIndex(ids.count - 1)))
      let corners = stride(from: 5, to: ids.count, by: 8 * 1024).map { ($0, UInt8(truncatingIfNeeded: $0 / 1024 + 1)) }
      for (chunk, byte) in corners + [(ids.count - 2, corner)] {
        let bytes = [UInt8](repeating: byte, count: chunkSize)
        try TestFile.overwrite(path, at: geometry.range(of: ChunkIndex(chunk)).offset, with: bytes)
        ids[chunk] = ChunkID(SHA256Hasher.hash(bytes.span))
      }
      manifest = try ManifestEncoder(geometry: geometry, chunkIDs: ids).encode()
    }
  }

  @Test(
    "an update of one corner of a long sparse file moves kilobytes of manifest and one chunk", arguments: [true, false])
  func corner(isAtOutput: Bool) async throws {
    let home = try TemporaryDirectory()
    let new = try SparseFile("new", in: home, corner: 0xEE)
    let server = try FaultServer(
      resources: [Site.path: Resource(try .file(new.path)), Site.manifestPath: .bytes(new.manifest)])
    var client = try Client()
    let old = try SparseFile(isAtOutput ? Client.name : "seed", in: client.scratch, corner: 0xDD)
    if !isAtOutput { client.options.seeds = [old.path] }
    let report = try #require(await client.fetch(server.url()).report)
    #expect(report.fetchedBytes == UInt64(Self.chunkSize) && report.discardedBytes == 0)
    let pages = server.recording.requests(to: Site.manifestPath).map(\.bodyBytesSent)
    // The first read, and the page of the last group: its chunks end with the file.
    #expect(new.manifest.count > 8 << 20)
    #expect(pages.count == 2 && pages.reduce(0, +) <= 65_536 + 32_768, "\(pages)")
    let changed = Self.length / UInt64(Self.chunkSize) - 1
    let path = client.scratch.path(Client.name)
    #expect(try TestFile.read(path, at: changed * UInt64(Self.chunkSize), count: 2) == [0xEE, 0xEE])
    #expect(try TestFile.allocatedBytes(path) <= 64 << 20)
  }

  // MARK: Images

  @Test(
    "of an image with 1 % of its blocks changed, little more than the chunks that differ is fetched",
    arguments: [4, 16, 64])
  func blocksChanged(kibibytes: Int) async throws {
    let old = Content.pattern(length: (16 << 20) + 9, seed: 11).bytes(in: 9..<(16 << 20) + 9)
    var new = old
    var random = SeededRandom(seed: 5)
    var different: Set<Int> = []
    for _ in 0..<(16 << 20) / 4096 / 100 {
      let block = Int.random(in: 0..<(16 << 20) / 4096, using: &random)
      for offset in 0..<16 { new[block * 4096 + offset * 251] ^= UInt8.random(in: 1...255, using: &random) }
      different.insert(block * 4096 / (kibibytes << 10))
    }
    let publication = try Publication(new, chunkSize: kibibytes << 10)
    let site = try Site(publication)
    var client = try Client()
    client.options.seeds = [try client.scratch.write(old, to: "seed")]
    let report = try #require(await client.fetch(from: site).report)
    let isRight = client.scratch.read(Client.name) == new
    #expect(isRight)
    let least = UInt64(different.count * publication.chunkSize)
    #expect(report.fetchedBytes == least)
    #expect((report.fetchedBytes + report.discardedBytes) * 100 <= least * 105)
  }
}
