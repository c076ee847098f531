import ChunkCore
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Glibc
import Testing

/// Chunks that come as frames of a pack.
struct PackTests {
  /// What is promised of a resource, in the order of its bytes and each byte once.
  private func ranges(_ requests: [RecordedRequest]) -> [Range<UInt64>] {
    requests.compactMap(\.served).sorted { $0.lowerBound < $1.lowerBound }
  }

  @Test("what the pack makes smaller comes from it, all else from the file, and no byte twice")
  func mixed() async throws {
    let publication = try PackedPublication()
    let site = try publication.site()
    let report = try await Client().fetch(from: site).expectRight(publication.file)
    let packed = publication.compressibleChunks
    let others = (0..<publication.frameEnds.count).filter { !packed.contains($0) }
    let (file, pack) = (try #require(report.sources.first), try #require(report.sources.last))
    #expect(pack.url == site.server.url(PackedPublication.packPath) && pack.kind == .pack)
    #expect(pack.receivedBytes == publication.frameBytes(packed))
    #expect(file.receivedBytes == publication.plainBytes(others))
    #expect(report.receivedBytes == UInt64(publication.frameBytes(packed) + publication.plainBytes(others)))
    #expect(report.receivedBytes < report.length * 3 / 5)
    for range in ranges(site.packRequests) {
      #expect(range.lowerBound == 0 || publication.frameEnds.contains(range.lowerBound))
      #expect(publication.frameEnds.contains(range.upperBound))
    }
  }

  @Test("a stream gets the same bytes")
  func stream() async throws {
    let publication = try PackedPublication()
    let site = try publication.site()
    let scratch = try TemporaryDirectory()
    let path = scratch.path("pipe")
    let made = unsafe mkfifo(path, 0o600)
    #expect(made == 0)
    let download = try Download(from: site.url, to: path, options: Client().options)
    async let report = try await download.run()
    let bytes = try await onOwnThread { try FIFOReader(path).readAll() }
    #expect(SHA256Hasher.hash(bytes.span) == publication.file.sha256)
    #expect(try await report.receivedBytes < UInt64(bytes.count) * 3 / 5)
  }

  @Test("of a partial, only the frames of what is missing come")
  func resumed() async throws {
    let publication = try PackedPublication()
    let site = try publication.site()
    let client = try Client()
    var partial = publication.file.bytes
    let missing = [3, 4, 130, 299]
    for chunk in missing { for index in publication.file.range(ofChunk: chunk) { partial[index] ^= 0x55 } }
    try client.scratch.write(partial, to: Client.name + ".part")
    let report = try await client.fetch(from: site).expectRight(publication.file)
    #expect(report.receivedBytes == publication.frameBytes([3, 4, 130, 299]))
    #expect(site.payload.isEmpty)
  }

  @Test(
    "a pack that is not named, of which nothing is known, or that saves nothing is not asked",
    arguments: [0, 1, 2])
  func unused(_ reason: Int) async throws {
    let publication =
      switch reason {
      case 0: try PackedPublication(source: nil)
      case 1: try PackedPublication(claiming: nil)
      default: try PackedPublication(chunks: 64, claiming: { ends in ends.indices.map { UInt64($0 + 1) * 4100 } })
      }
    let site = try publication.site()
    try await Client().fetch(from: site).expectRight(publication.file)
    #expect(site.packRequests.isEmpty)
  }

  @Test("where the file is not to be had any more, all of it comes from the pack")
  func fileGone() async throws {
    let publication = try PackedPublication()
    let site = try publication.site([.on(.payload, .status(404))])
    let report = try await Client().fetch(from: site).expectRight(publication.file)
    #expect(report.receivedBytes == UInt64(publication.pack.count))
  }

  @Test("of a long file the column is read by eight groups, when they are wanted")
  func columnByPages() async throws {
    let (chunks, size) = (9 * 1024, PackedPublication.chunkSize)
    var content = [UInt8](repeating: 0x20, count: size)
    var (bytes, pack, ends): ([UInt8], [UInt8], [UInt64]) = ([], [], [])
    for chunk in 0..<chunks {
      (content[0], content[1]) = (UInt8(chunk & 255), UInt8(chunk >> 8))
      bytes += content
      pack += PackedPublication.frame(of: content)
      ends.append(UInt64(pack.count))
    }
    let file = try Publication(bytes, chunkSize: size, sources: ["file.bin.zst"], kind: .pack, frameEnds: ends)
    let site = try Site(file)
    site.server.setResource(.bytes(pack), at: PackedPublication.packPath)
    let report = try await Client().fetch(from: site).expectRight(file)
    #expect(report.receivedBytes == UInt64(pack.count))
    let column = UInt64(file.manifest.count - 8 * chunks)
    let reads = site.server.recording.requests(to: Site.manifestPath).compactMap(\.served)
      .filter { $0.lowerBound >= column }
    #expect(reads.map(\.lowerBound).sorted() == [column, column + 8 * (8 * 1024 - 1)])
  }

  // MARK: A pack that is no good

  static let faults: [(String, [FaultRule])] = [
    ("not there", [.on(.pack, .status(404))]),
    ("forbidden", [.on(.pack, .status(403))]),
    ("whole bodies", [.on(.pack, .ignoreRange)]),
    ("no place", [.on(.pack, .contentRange(.missing))]),
    ("several parts", [.on(.pack, .multipart)]),
    ("another coding", [.on(.pack, .gzipLabel)]),
    ("no answer", [.on(.pack, .noAnswer(.reset))]),
  ]

  @Test("a pack that cannot be fetched costs nothing but requests", arguments: faults)
  func unusable(_ name: String, _ rules: [FaultRule]) async throws {
    let publication = try PackedPublication()
    let site = try publication.site(rules)
    let report = try await Client().fetch(from: site).expectRight(publication.file, discarding: nil)
    #expect(report.sources.last?.wrongChunks.isEmpty == true, "\(name)")
    #expect(site.packRequests.count < 40, "\(name)")
  }

  @Test("connections that break do not make it a bad one", arguments: [FaultAction.Ending.close, .reset])
  func broken(_ ending: FaultAction.Ending) async throws {
    let publication = try PackedPublication()
    let site = try publication.site(connections: ConnectionFaults(cut: .init(every: 40_000, ending)))
    var client = try Client()
    client.options.retries = 1000
    let report = try await client.fetch(from: site).expectRight(publication.file, discarding: nil)
    #expect(report.sources.last?.wrongChunks.isEmpty == true)
  }

  @Test("short ranges are gone on with, and over-long ones cut", arguments: [0, 1])
  func otherRanges(_ way: Int) async throws {
    let publication = try PackedPublication()
    let site = try publication.site([.on(.pack, way == 0 ? .limitRange(to: 2000) : .lengthen(by: 500))])
    let report = try await Client().fetch(from: site).expectRight(publication.file, discarding: nil)
    #expect(report.sources.last?.wrongChunks.isEmpty == true)
    #expect((report.sources.last?.receivedBytes ?? 0) > 0)
  }

  /// What lies at the place of a frame, by name.
  static let frames: [(String, @Sendable (Int, [UInt8]) -> [UInt8])] = [
    ("a bit turned", { _, frame in frame.dropLast() + [(frame.last ?? 0) ^ 1] }),
    ("nothing but zeros", { _, frame in [UInt8](repeating: 0, count: frame.count) }),
    ("the frame of another chunk", { chunk, _ in frame(of: Array("this is line \(chunk)".utf8), length: 4096) }),
    ("a frame of more", { _, _ in bomb }),
    ("a frame of less", { _, _ in frame(of: [0], length: 4095) }),
    ("two frames", { _, _ in frame(of: [1], length: 2048) + frame(of: [2], length: 2048) }),
    ("a frame and rubbish", { _, frame in frame + [0] }),
    ("a skippable frame first", { _, frame in [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0] + frame }),
    ("one byte", { _, _ in [0x28] }),
  ]

  private static let bomb = PackedPublication.frame(of: [UInt8](repeating: 0, count: 8 << 20))

  private static func frame(of pattern: [UInt8], length: Int) -> [UInt8] {
    let content = (0..<length).map { pattern[$0 % pattern.count] }
    return PackedPublication.frame(of: content)
  }

  @Test("frames that are not those of their chunks blame the pack, and the file finishes", arguments: frames)
  func wrongFrames(_ name: String, _ change: @escaping @Sendable (Int, [UInt8]) -> [UInt8]) async throws {
    let publication = try PackedPublication(changingFrames: change)
    let site = try publication.site()
    let report = try await Client().fetch(from: site).expectRight(publication.file, discarding: nil)
    let pack = try #require(report.sources.last)
    #expect(pack.isQuarantined && pack.wrongChunks.count > 3, "\(name)")
    #expect(report.sources.first?.wrongChunks.isEmpty == true, "\(name)")
    #expect(report.discardedBytes <= pack.receivedBytes, "\(name)")
  }

  @Test("one wrong frame is fetched from the file, and the pack goes on")
  func oneWrongFrame() async throws {
    let publication = try PackedPublication(
      chunks: 700,
      changingFrames: { chunk, frame in
        chunk == 5 ? frame.dropLast() + [(frame.last ?? 0) ^ 1] : frame
      })
    let site = try publication.site()
    let wrong = publication.frameBytes([5])
    let report = try await Client().fetch(from: site).expectRight(publication.file, discarding: wrong)
    #expect(report.sources.last?.wrongChunks == [ChunkIndex(5)])
    #expect(report.sources.last?.isQuarantined == false)
  }

  @Test("places that are possible and wrong blame the pack", arguments: [-1, 1, 17])
  func wrongPlaces(_ shift: Int) async throws {
    let publication = try PackedPublication(claiming: { ends in ends.map { UInt64(Int($0) + shift) } })
    let site = try publication.site()
    let report = try await Client().fetch(from: site).expectRight(publication.file, discarding: nil)
    #expect(report.sources.last?.isQuarantined == true)
    #expect(report.sources.first?.wrongChunks.isEmpty == true)
  }

  @Test("places that cannot be are found out before anything is asked of the pack", arguments: [0, 1, 2])
  func impossiblePlaces(_ way: Int) async throws {
    let publication = try PackedPublication(claiming: { ends in
      switch way {
      case 0: ends.map { _ in 100 }
      case 1: ends.reversed()
      default: ends.map { $0 << 40 }
      }
    })
    let site = try publication.site()
    try await Client().fetch(from: site).expectRight(publication.file)
    #expect(site.packRequests.isEmpty)
  }

  @Test("a pack that ends early is given up there")
  func shortPack() async throws {
    let publication = try PackedPublication()
    let site = try publication.site()
    let kept = Int(publication.frameEnds[150])
    site.server.setResource(.bytes(Array(publication.pack.prefix(kept))), at: PackedPublication.packPath)
    let report = try await Client().fetch(from: site).expectRight(publication.file, discarding: nil)
    #expect(report.sources.last?.wrongChunks.isEmpty == true)
  }
}
