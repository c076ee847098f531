import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import FaultServer
import Testing

@testable import ChunkTransfer

/// Files on this machine that have some of the chunks: what they have is not fetched, and what they say is not believed.
struct SeedTests {
  private static let size = 65_536

  private func client(seed: [UInt8]) throws -> Client {
    var client = try Client()
    client.options.seeds = [try client.scratch.write(seed, to: "seed")]
    return client
  }

  private func expectRight(
    _ client: Client, from site: Site, reused: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let report = try #require(await client.fetch(from: site).report, sourceLocation: sourceLocation)
    let isRight = client.scratch.read(Client.name) == site.publication.bytes
    #expect(isRight, sourceLocation: sourceLocation)
    #expect(report.reusedBytes == UInt64(reused), sourceLocation: sourceLocation)
    #expect(report.discardedBytes == 0, sourceLocation: sourceLocation)
    #expect(
      site.payloadBytesPromised == site.publication.bytes.count - reused, sourceLocation: sourceLocation)
  }

  @Test("the same file needs no payload request")
  func same() async throws {
    let site = try Site()
    let client = try client(seed: site.publication.bytes)
    try await expectRight(client, from: site, reused: site.publication.bytes.count)
    #expect(site.payload.isEmpty)
  }

  /// Another version of the standard publication, and how many bytes of the wanted one it has.
  enum Version: CaseIterable {
    case changedHere, shiftedByChunks, reversed, endOnly, longer, shorter, empty, otherThroughout, oneByteShifted

    func bytes(of wanted: [UInt8]) throws -> (seed: [UInt8], reused: Int) {
      let size = SeedTests.size
      let tail = wanted.count % size
      switch self {
      case .changedHere:
        var seed = wanted
        for chunk in [0, 20, 48] { seed[chunk * size + 7] ^= 1 }
        return (seed, wanted.count - 2 * size - tail)
      case .shiftedByChunks:
        return ([UInt8](repeating: 3, count: 5 * size) + wanted, wanted.count)
      case .reversed:
        let chunks = stride(from: 0, to: wanted.count - tail, by: size).map { Array(wanted[$0..<$0 + size]) }
        return (Array(chunks.reversed().joined()), wanted.count - tail)
      case .endOnly: return (Array(wanted.suffix(tail + 99)), tail)
      case .longer: return (wanted + [1, 2, 3], wanted.count)
      case .shorter: return (Array(wanted[..<(10 * size + 5)]), 10 * size)
      case .empty: return ([], 0)
      case .otherThroughout: return (try Publication.older().bytes, 0)
      // Only the end is where it is looked for.
      case .oneByteShifted: return ([9] + wanted, tail)
      }
    }
  }

  @Test(
    "chunks are found at any multiple of the chunk size, and the last one at the seed's end",
    arguments: Version.allCases)
  func version(_ version: Version) async throws {
    let site = try Site()
    let (seed, reused) = try version.bytes(of: site.publication.bytes)
    try await expectRight(try client(seed: seed), from: site, reused: reused)
  }

  @Test("an older version at the output is used by itself, wherever its chunks lie", arguments: Version.allCases)
  func olderVersionAtOutput(_ version: Version) async throws {
    let site = try Site()
    let client = try Client()
    let (old, reused) = try version.bytes(of: site.publication.bytes)
    try client.scratch.write(old, to: Client.name)
    try await expectRight(client, from: site, reused: reused)
  }

  @Test("several seeds and the file at the output each give what they have")
  func several() async throws {
    let site = try Site()
    let bytes = site.publication.bytes
    var client = try client(seed: Array(bytes[(40 * Self.size)...]))
    client.options.seeds.append(try client.scratch.write(Array(bytes[(20 * Self.size)..<(30 * Self.size)]), to: "b"))
    try client.scratch.write(Array(bytes[..<(10 * Self.size)]), to: Client.name)
    try await expectRight(client, from: site, reused: bytes.count - 20 * Self.size)
  }

  @Test("a stream gets its chunks from a seed too, in order")
  func stream() async throws {
    Signal.ignoreBrokenPipes()
    let site = try Site()
    let (seed, reused) = try Version.reversed.bytes(of: site.publication.bytes)
    var client = try client(seed: seed)
    client.options.memoryBudget = 8 * Self.size
    let path = client.scratch.path(Client.name)
    try client.scratch.makeFifo(Client.name)
    async let outcome = client.fetch(from: site)
    let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
    #expect(await outcome.report?.reusedBytes == UInt64(reused))
  }

  @Test("a seed that changes after it was looked at never gives a wrong byte", arguments: [true, false])
  func changes(canShare: Bool) async throws {
    let site = try Site()
    let geometry = try geometry(of: site.publication)
    let scratch = try TemporaryDirectory()
    let path = try scratch.write(site.publication.bytes, to: "seed")
    let seed = Seed(try InputFile(path), geometry: geometry, offer: { _, _ in })
    try await onOwnThread { seed.prepare(isStopped: { false }) }
    for chunk in 0..<30 { try TestFile.overwrite(path, at: UInt64(chunk * Self.size + 77), with: [0xA5, 0x5A]) }
    try TestFile.truncate(path, to: UInt64(40 * Self.size + 1))
    var client = try Client()
    client.options.localPlaces = [seed]
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payloadBytesPromised == site.publication.bytes.count - 10 * Self.size)
  }

  private func geometry(of publication: Publication) throws -> ChunkGeometry {
    try ChunkGeometry(
      fileLength: UInt64(publication.bytes.count), chunkSize: try #require(ChunkSize(bytes: publication.chunkSize)))
  }

  @Test("holes of a seed are not read, and chunks of zeros are not looked for")
  func zeros() async throws {
    let zeros = [UInt8](repeating: 0, count: 20 * Self.size)
    let data = try Publication.standard().bytes
    let site = try Site(try Publication(zeros + data))
    var client = try Client()
    let path = try client.scratch.write(data, to: "seed")
    // Many GiB of holes behind it, which nobody could read in the time of a test.
    try TestFile.truncate(path, to: 1 << 34)
    client.options.seeds = [path]
    let report = try #require(await client.fetch(from: site).report)
    #expect(report.fetchedBytes == UInt64(data.count % Self.size))
    #expect(try TestFile.allocatedBytes(client.scratch.path(Client.name)) <= UInt64(data.count + 2 * Self.size))
  }

  @Test("a seed that cannot be one is said before anything is asked of a server")
  func unusable() async throws {
    let site = try Site()
    var client = try Client()
    try client.scratch.makeDirectory("directory")
    try client.scratch.makeFifo("fifo")
    for name in ["missing", "directory", "fifo"] {
      client.options.seeds = [client.scratch.path(name)]
      let error = try await client.fetch(from: site).expectFailure(.invalidRequest)
      #expect(error.message.contains(client.scratch.path(name)) && error.message.contains("seed"), "\(error)")
    }
    #expect(site.server.recording.requests.isEmpty)
  }

  @Test("without a manifest a seed is of no use, which is said")
  func noManifest() async throws {
    let site = try Site(hasManifest: false)
    var client = try client(seed: site.publication.bytes)
    let notices = Lock<[String]>([])
    client.options.onNotice = { notice in notices.withLock { $0.append(notice) } }
    #expect(await client.fetch(from: site).report?.fetchedBytes == UInt64(site.publication.bytes.count))
    #expect(notices.withLock { $0 }.contains { $0.contains("seed") })
  }
}
