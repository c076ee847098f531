import ChunkCore
import ChunkStore
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// What a loss of power leaves of a store, and of a download into it: whatever had not reached the medium is missing, cut short or
/// zeros, each file for itself.
struct PowerLossTests {
  private static let chunkSize = 65_536

  /// What becomes of a file that was not synced.
  private func loss(of bytes: [UInt8], _ random: inout SeededRandom) -> [UInt8]? {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: nil
    case 1: []
    case 2: Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
    default: [UInt8](repeating: 0, count: bytes.count)
    }
  }

  private func lose(_ path: String, _ random: inout SeededRandom) throws {
    let left = loss(of: try TestFile.read(path), &random)
    try TestFile.remove(path)
    if let left { try TestFile.write(left, to: path) }
  }

  @Test(
    "the next run finishes with right bytes, and fetches the chunks that were lost and no others", arguments: 0..<12)
  func store(_ round: Int) async throws {
    var random = SeededRandom(seed: UInt64(1000 + round))
    let site = try Site()
    let publication = site.publication
    let scratch = try TemporaryDirectory()
    var client = try Client()
    client.options.store = scratch.path("store")
    client.options.compressesStore = round % 2 == 1
    try await client.fetch(from: site).expectRight(publication)
    let files = StoreFiles(scratch.path("store"))

    // Everything was in flight: chunks, the manifest, what a lease says, and files that had no name yet.
    var lost: Set<Int> = []
    let chunks = (0..<publication.chunkCount).map { index in
      ChunkID(SHA256Hasher.hash(publication.bytes.span.extracting(publication.range(ofChunk: index))))
    }
    for (index, chunk) in chunks.enumerated() where Int.random(in: 0..<3, using: &random) == 0 {
      for suffix in ["", ".zst"] where TestFile.exists(files.chunk(chunk, suffix: suffix)) {
        try lose(files.chunk(chunk, suffix: suffix), &random)
        lost.insert(index)
      }
    }
    if Bool.random(using: &random) {
      try lose("\(files.path)/manifests/\(publication.fileID).chunks", &random)
    }
    try TestFile.write(random.bytes(count: 100), to: "\(files.path)/leases/0123456789abcdef0123456789abcdef")
    try TestFile.write(random.bytes(count: 5000), to: "\(files.path)/tmp/0123456789abcdef0123456789abcdef")

    // The download itself has its partial, of which some is lost too.
    var other = try Client()
    other.options.store = client.options.store
    var partial = [UInt8](repeating: 0, count: publication.bytes.count)
    var missing = lost
    for index in 0..<publication.chunkCount where Bool.random(using: &random) {
      partial.replaceSubrange(
        publication.range(ofChunk: index), with: publication.bytes[publication.range(ofChunk: index)])
      missing.remove(index)
    }
    try other.scratch.write(partial, to: Client.name + ".part")
    if Bool.random(using: &random) {
      try other.scratch.write(random.bytes(count: 777), to: Client.name + ".part.chunks")
    }

    let asked = site.payload.count
    let report = try await other.fetch(from: site).expectRight(publication)
    let served = site.payload.dropFirst(asked).compactMap(\.served)
    #expect(report.fetchedBytes == missing.reduce(0) { $0 + UInt64(publication.range(ofChunk: $1).count) })
    #expect(served.reduce(0) { $0 + $1.count } == Int(report.fetchedBytes))

    // Nothing has to be recovered: all of it is in the store again, and right.
    #expect(report.storedBytes != nil)
    #expect(try StoreAudit(of: FileStore.open(files.path)).chunks { _ in }.wrong.isEmpty)
    site.server.stop()
    var offline = try Client()
    offline.options.store = client.options.store
    offline.options.fileID = publication.fileID
    offline.options.retries = 0
    try await offline.fetch(from: site).expectRight(publication)
  }
}
