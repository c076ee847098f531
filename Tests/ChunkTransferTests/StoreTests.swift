import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Glibc
import Testing

/// Downloads with a store: what it has is not fetched, what was fetched is put there, and nothing about it lets one fail.
struct StoreTests {
  let scratch: TemporaryDirectory
  var path: String { scratch.path("store") }
  var files: StoreFiles { StoreFiles(path) }

  init() throws {
    scratch = try TemporaryDirectory()
  }

  private func client(_ notices: Notices? = nil, compresses: Bool = false) throws -> Client {
    var client = try Client()
    client.options.store = path
    client.options.compressesStore = compresses
    if let notices { client.options.onNotice = { notices.add($0) } }
    return client
  }

  /// The chunks a server was asked for.
  private func served(_ site: Site) -> Set<Int> {
    Set(site.payload.compactMap(\.served).flatMap { Int($0.lowerBound) / 65_536...(Int($0.upperBound) - 1) / 65_536 })
  }

  private func audit() throws -> Set<StoreAudit.WrongFile> {
    try StoreAudit(of: FileStore.open(path)).chunks { _ in }.wrong
  }

  @Test("a second download fetches nothing", arguments: [false, true])
  func secondDownload(compresses: Bool) async throws {
    let site = try Site()
    let first = try await client(compresses: compresses).fetch(from: site).expectRight(site.publication)
    #expect(first.reusedBytes == 0)
    #expect(first.storedBytes == first.length)
    #expect(try audit().isEmpty)
    #expect(try files.names(in: "manifests") == ["\(site.publication.fileID).chunks"])
    #expect(try files.names(in: "leases").isEmpty)
    #expect(try files.names(in: "tmp").isEmpty)
    let asked = site.payload.count
    let second = try await client().fetch(from: site).expectRight(site.publication)
    #expect(second.reusedBytes == second.length)
    #expect(second.storedBytes == 0)
    #expect(site.payload.count == asked)
  }

  @Test("another version costs what is different")
  func anotherVersion() async throws {
    let old = try Site()
    try await client().fetch(from: old).expectRight(old.publication)
    var bytes = old.publication.bytes
    for chunk in [3, 20, 48] { bytes[chunk * 65_536 + 5] ^= 1 }
    let new = try Site(Publication(bytes))
    let report = try await client().fetch(from: new).expectRight(new.publication)
    #expect(served(new) == [3, 20, 48])
    #expect(report.storedBytes == report.fetchedBytes)
  }

  @Test("names are never believed: exactly the chunks that are wrong in the store are fetched, and replaced")
  func wrongChunks() async throws {
    var random = SeededRandom(for: "wrong chunks in a store")
    let site = try Site()
    try await client().fetch(from: site).expectRight(site.publication)
    let chunks = chunkIDs(site.publication)
    for (place, index) in [2, 7, 11, 30, 48].enumerated() {
      let file = files.chunk(chunks[index])
      let bytes = try TestFile.read(file)
      switch place {
      case 0: try files.replace(file, with: [])
      case 1: try files.replace(file, with: [UInt8](repeating: 0, count: bytes.count))
      case 2: try files.replace(file, with: random.bytes(count: bytes.count))
      case 3: try files.replace(file, with: Array(bytes.dropLast()))
      default: try files.replace(file, with: bytes + [0])
      }
    }
    let before = site.payload.count
    let report = try await client().fetch(from: site).expectRight(site.publication)
    let asked = Set(
      site.payload.dropFirst(before).compactMap(\.served).flatMap {
        Int($0.lowerBound) / 65_536...(Int($0.upperBound) - 1) / 65_536
      })
    #expect(asked == [2, 7, 11, 30, 48], "\(random)")
    #expect(report.storedBytes == report.fetchedBytes)
    #expect(try audit().isEmpty)
  }

  @Test("what was on disk before is put in too, a right file without any download")
  func fromDisk() async throws {
    let site = try Site()
    let resumed = try client()
    try resumed.scratch.write(Array(site.publication.bytes[..<(20 * 65_536)]), to: Client.name + ".part")
    let report = try await resumed.fetch(from: site).expectRight(site.publication)
    #expect(report.reusedBytes == 20 * 65_536)
    #expect(report.storedBytes == report.length)
    let other = try StoreTests()
    var again = resumed
    again.options.store = other.path
    let right = try await again.fetch(from: site).expectRight(site.publication)
    #expect(right.fetchedBytes == 0)
    #expect(right.storedBytes == right.length)
    #expect(try other.audit().isEmpty)
  }

  @Test("what a seed had is in the store as well")
  func fromSeed() async throws {
    let site = try Site()
    var client = try client()
    client.options.seeds = [try scratch.write(site.publication.bytes, to: "seed")]
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payload.isEmpty)
    #expect(report.storedBytes == report.length)
    #expect(try audit().isEmpty)
    #expect(try files.chunks.count == 49)
  }

  @Test("a stream is fed from the store, in order")
  func stream() async throws {
    Signal.ignoreBrokenPipes()
    let site = try Site()
    try await client().fetch(from: site).expectRight(site.publication)
    let chunks = chunkIDs(site.publication)
    for index in stride(from: 0, to: chunks.count, by: 3) { try TestFile.remove(files.chunk(chunks[index])) }
    var streaming = try client()
    streaming.options.memoryBudget = 8 * 65_536
    let fifo = streaming.scratch.path(Client.name)
    try #require(unsafe mkfifo(fifo, 0o600) == 0)
    let client = streaming
    async let outcome = client.fetch(from: site)
    let bytes = try await onOwnThread { try FIFOReader(fifo).readAll() }
    let isRight = bytes == site.publication.bytes
    #expect(isRight)
    let report = try #require(await outcome.report)
    #expect(report.fetchedBytes == report.storedBytes)
    #expect(report.reusedBytes > 0)
  }

  @Test("a store that takes nothing is told of once, and the download is right")
  func full() async throws {
    let site = try Site()
    _ = try FileStore.open(path, isMade: true)
    // Nothing can be made in a folder that is none.
    for folder in 0..<256 {
      let name = String(folder + 256, radix: 16).dropFirst()
      try TestFile.write([], to: "\(path)/chunks/\(name)")
    }
    let notices = Notices()
    let report = try await client(notices).fetch(from: site).expectRight(site.publication)
    #expect(report.storedBytes == nil)
    #expect(report.fetchedBytes == report.length)
    let told = notices.all.filter { $0.contains("store") }
    #expect(told.count == 1, "\(told)")
  }

  @Test("a directory of something else is refused before anything is fetched")
  func refused() async throws {
    let site = try Site()
    try TestFile.makeDirectory(path)
    try TestFile.write([1], to: path + "/precious")
    try await client().fetch(from: site).expectFailure(.invalidRequest)
    #expect(site.payload.isEmpty)
    #expect(try TestFile.names(in: path) == ["precious"])
  }

  @Test("a damaged manifest in the store is replaced")
  func damagedManifest() async throws {
    let site = try Site()
    try await client().fetch(from: site).expectRight(site.publication)
    let manifest = "\(path)/manifests/\(site.publication.fileID).chunks"
    try files.replace(manifest, with: Array(site.publication.manifest.dropLast(3)) + [1, 2, 3])
    try await client().fetch(from: site).expectRight(site.publication)
    #expect(try TestFile.read(manifest) == site.publication.manifest)
  }

  @Test("a pinned file that is in the store needs no network")
  func offline() async throws {
    let site = try Site()
    var client = try client()
    try await client.fetch(from: site).expectRight(site.publication)
    try TestFile.remove(client.scratch.path(Client.name))
    client.options.retries = 0
    // Nobody listens there.
    let nowhere = "http://127.0.0.1:1/file"
    try await client.fetch(nowhere).expectFailure(.unreachable)
    client.options.fileID = site.publication.fileID
    let report = try await client.fetch(nowhere).expectRight(site.publication)
    #expect(report.trust == .pinned)
    #expect(report.reusedBytes == report.length)
  }

  @Test("nothing of a download that cannot be verified enters a store")
  func unverified() async throws {
    let site = try Site(hasManifest: false)
    _ = try await client().fetch(from: site).report
    #expect(!TestFile.exists(path))
  }

  @Test("a prune in the middle takes nothing that the download relies on")
  func prunedMeanwhile() async throws {
    let site = try Site()
    try await client().fetch(from: site).expectRight(site.publication)
    let chunks = chunkIDs(site.publication)
    try TestFile.remove(files.chunk(chunks[40]))
    // The manifest goes, and with it all that holds the chunks but the lease of the next download.
    let gate = Gate()
    let slow = try Site(site.publication, [.on(.payload, .holdHead(.gate(gate)))])
    let client = try client()
    async let outcome = client.fetch(from: slow)
    _ = try await slow.server.waitUntil { !$0.requests(to: Site.path).isEmpty }
    try files.waitForTick()
    var sweep = StoreSweep(of: try FileStore.open(path), maximumSize: 0)
    let report = try sweep.run()
    #expect(report.chunkCount == 0 && report.manifests.isEmpty)
    gate.open()
    #expect(try await outcome.expectRight(site.publication).fetchedBytes == 65_536)
    // Now nobody is left.
    try files.waitForTick()
    sweep = StoreSweep(of: try FileStore.open(path), maximumSize: 0)
    #expect(try sweep.run().chunkCount == 49)
  }

  private func chunkIDs(_ publication: Publication) -> [ChunkID] {
    stride(from: 0, to: publication.bytes.count, by: publication.chunkSize).map { start in
      let end = min(start + publication.chunkSize, publication.bytes.count)
      return ChunkID(SHA256Hasher.hash(publication.bytes.span.extracting(start..<end)))
    }
  }
}

/// What was told meanwhile.
private final class Notices: Sendable {
  private let texts = Lock<[String]>([])

  var all: [String] { texts.withLock { $0 } }

  func add(_ text: String) {
    texts.withLock { $0.append(text) }
  }
}
