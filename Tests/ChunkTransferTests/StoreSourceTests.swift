import ChunkTestSupport
import FaultServer
import Testing

@testable import ChunkCore
@testable import ChunkTransfer

/// Chunks that come one by one from a store on a server.
struct StoreSourceTests {
  private static let place = "/store"

  /// Puts chunks at their names; `compressed` says for which the name is that of a frame.
  private func site(
    _ publication: Publication, chunks: some Sequence<Int>, compressed: (Int) -> Bool = { _ in false },
    changing change: (Int, [UInt8]) -> [UInt8] = { $1 }, _ rules: [FaultRule] = []
  ) throws -> Site {
    let site = try Site(publication, rules)
    for chunk in chunks {
      let content = Array(publication.bytes[publication.range(ofChunk: chunk)])
      let isCompressed = compressed(chunk)
      site.server.setResource(
        .bytes(change(chunk, isCompressed ? PackedPublication.frame(of: content) : content)),
        at: path(of: content, isCompressed: isCompressed))
    }
    return site
  }

  private func path(of content: [UInt8], isCompressed: Bool) -> String {
    let name = ChunkID(SHA256Hasher.hash(content.span)).hex
    return "\(Self.place)/chunks/\(name.prefix(2))/\(name)\(isCompressed ? ".zst" : "")"
  }

  private func client(_ site: Site, root: String = Self.place) throws -> Client {
    var client = try Client()
    client.options.chunkStores = [site.server.url(root)]
    return client
  }

  private func objects(_ site: Site) -> [RecordedRequest] {
    site.server.recording.requests.filter { $0.path.hasPrefix(Self.place + "/") }
  }

  @Test("where the file is not, all of it comes from the store, each chunk once", arguments: ["/store", "/store/"])
  func alone(_ root: String) async throws {
    let publication = try Publication.standard()
    let site = try site(publication, chunks: 0..<publication.chunkCount, [.on(.payload, .status(404))])
    let report = try await client(site, root: root).fetch(from: site).expectRight(publication)
    #expect(objects(site).count == publication.chunkCount)
    #expect(Set(objects(site).map(\.path)).count == publication.chunkCount)
    #expect(objects(site).allSatisfy { $0.header("Range") == nil })
    #expect(report.sources.last?.kind == .store)
    #expect(report.sources.last?.receivedBytes == report.length)
  }

  @Test("what lies there compressed is found with one request more for the first")
  func compressed() async throws {
    let publication = try PackedPublication(chunks: 60)
    var client = try Client()
    client.options.connections = 1
    let site = try site(
      publication.file, chunks: 0..<60, compressed: { _ in true }, [.on(.payload, .status(404))])
    client.options.chunkStores = [site.server.url(Self.place)]
    let report = try await client.fetch(from: site).expectRight(publication.file)
    #expect(objects(site).count == 61)
    #expect(report.receivedBytes == UInt64(publication.frameBytes(Array(0..<60))))
  }

  @Test("both forms may lie side by side")
  func bothForms() async throws {
    let publication = try PackedPublication(chunks: 60)
    let site = try site(
      publication.file, chunks: 0..<60, compressed: { $0 % 3 == 0 }, [.on(.payload, .status(404))])
    try await client(site).fetch(from: site).expectRight(publication.file)
    #expect(objects(site).count <= 120)
  }

  @Test("file and store are used together, and neither for what the other has brought")
  func together() async throws {
    let publication = try Publication.standard()
    let site = try site(publication, chunks: 0..<publication.chunkCount)
    let other = try self.site(publication, chunks: 0..<publication.chunkCount)
    var client = try Client()
    client.options.chunkStores = [other.server.url(Self.place)]
    let report = try await client.fetch(from: site).expectRight(publication)
    #expect(report.sources.allSatisfy { $0.receivedBytes > 0 })
  }

  @Test("chunks that the store does not have come from the file", arguments: [403, 404, 410])
  func incomplete(_ status: Int) async throws {
    let publication = try Publication.standard()
    let present = (0..<publication.chunkCount).filter { $0 % 2 == 0 }
    let site = try site(
      publication, chunks: present,
      (0..<publication.chunkCount).filter { $0 % 2 == 1 }.map { chunk in
        let content = Array(publication.bytes[publication.range(ofChunk: chunk)])
        return .on(.path(path(of: content, isCompressed: false)), .status(status))
      })
    let report = try await client(site).fetch(from: site).expectRight(publication)
    #expect(report.sources.allSatisfy { $0.receivedBytes > 0 })
  }

  @Test("a chunk that nobody has is the end, and says which")
  func nobody() async throws {
    let publication = try Publication.standard()
    let site = try site(
      publication, chunks: (0..<publication.chunkCount).filter { $0 != 7 }, [.on(.payload, .status(404))])
    let error = try await client(site).fetch(from: site).expectFailure(.noRightBytes)
    #expect(error.message.contains("chunk 7"))
  }

  @Test("a place that is no store is given up after 16 chunks")
  func noStore() async throws {
    let publication = try Publication.standard()
    let site = try site(publication, chunks: [])
    try await client(site).fetch(from: site).expectRight(publication)
    #expect(objects(site).count <= 2 * 16 + 8)
  }

  /// What lies at the name of a chunk, by name.
  static let wrongObjects: [(String, Bool, @Sendable (Int, [UInt8]) -> [UInt8])] = [
    ("other bytes", false, { _, bytes in bytes.dropLast() + [(bytes.last ?? 0) ^ 1] }),
    ("fewer bytes", false, { _, bytes in bytes.dropLast() }),
    ("more bytes", false, { _, bytes in bytes + [0] }),
    ("nothing", false, { _, _ in [] }),
    ("a bomb", true, { _, _ in bomb }),
    ("a frame and rubbish", true, { _, frame in frame + [0] }),
    ("no frame", true, { _, _ in [1, 2, 3] }),
    ("nothing at all, compressed", true, { _, _ in [] }),
    ("far too much", true, { _, _ in [UInt8](repeating: 1, count: 200_000) }),
  ]

  private static let bomb = PackedPublication.frame(of: [UInt8](repeating: 0, count: 64 << 20))

  @Test(
    "what lies under a chunk's name and is not that chunk is of no use, and the file finishes", arguments: wrongObjects)
  func wrong(
    _ name: String, _ isCompressed: Bool, _ change: @escaping @Sendable (Int, [UInt8]) -> [UInt8]
  ) async throws {
    let publication = try Publication.standard()
    let site = try site(
      publication, chunks: 0..<publication.chunkCount, compressed: { _ in isCompressed }, changing: change)
    let report = try await client(site).fetch(from: site).expectRight(publication, discarding: nil)
    #expect(report.sources.first?.wrongChunks.isEmpty == true, "\(name)")
    #expect(report.sources.first?.receivedBytes == report.length, "\(name)")
  }

  @Test("a store may send each request elsewhere")
  func redirected() async throws {
    let publication = try Publication.standard()
    let target = try site(publication, chunks: 0..<publication.chunkCount)
    let site = try Site(publication, [.on(.payload, .status(404))])
    let moves = (0..<publication.chunkCount).map { chunk in
      let content = Array(publication.bytes[publication.range(ofChunk: chunk)])
      let path = path(of: content, isCompressed: false)
      return FaultRule.on(.path(path), .redirect(307, to: target.server.url(path)))
    }
    site.server.setScript(FaultScript([.on(.payload, .status(404))] + moves))
    try await client(site).fetch(from: site).expectRight(publication)
  }

  @Test("an object that breaks off is gone on with")
  func broken() async throws {
    let publication = try Publication.standard()
    let site = try site(publication, chunks: 0..<publication.chunkCount, [.on(.payload, .status(404))])
    site.server.setScript(
      FaultScript(
        [.on(.payload, .status(404))],
        connections: ConnectionFaults(cut: .init(every: 50_000, .close))))
    try await client(site).fetch(from: site).expectRight(publication)
    #expect(objects(site).contains { $0.header("Range") != nil })
  }

  @Test("the manifest may name one, relative to itself")
  func named() async throws {
    let bytes = try Publication.standard().bytes
    let publication = try Publication(bytes, sources: ["store"], kind: .store)
    let site = try site(publication, chunks: 0..<publication.chunkCount, [.on(.payload, .status(404))])
    let report = try await Client().fetch(from: site).expectRight(publication)
    #expect(report.sources.last?.url == site.server.url(Self.place))
  }

  @Test("a query of the store's URL goes with every object, and its secrets into no report")
  func query() async throws {
    let publication = try Publication.standard()
    let site = try site(publication, chunks: 0..<publication.chunkCount, [.on(.payload, .status(404))])
    var client = try Client()
    client.options.chunkStores = [site.server.url(Self.place) + "?token=geheim"]
    let report = try await client.fetch(from: site).expectRight(publication)
    #expect(objects(site).allSatisfy { $0.query == "token=geheim" })
    #expect(report.sources.last?.url.contains("geheim") == false)
  }
}
