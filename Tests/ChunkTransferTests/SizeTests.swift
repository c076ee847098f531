import ChunkTransfer
import FaultServer
import Testing

/// Lengths around the chunk size, and chunks that need not be fetched.
struct SizeTests {
  static let chunkSize = 4096

  @Test(
    "files of any length around the chunk size",
    arguments: [0, 1, chunkSize - 1, chunkSize, chunkSize + 1, 2 * chunkSize, 2 * chunkSize + 1, 1025 * chunkSize])
  func lengths(_ length: Int) async throws {
    let site = try Site(Publication(length: length, chunkSize: Self.chunkSize))
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.fileID == site.publication.fileID)
    #expect(report.trust == .transport)
    #expect(site.payload.isEmpty == (length == 0))
    #expect(site.payloadBytesPromised == length)
    // The last range does not reach past the end of the file.
    #expect(site.payload.allSatisfy { $0.status == 206 || ($0.status == 200 && $0.range == nil) })
    #expect(site.hasOneRangeFieldAtMost)
  }

  @Test("chunks of zeros are never fetched: a hole stands for them")
  func zeros() async throws {
    let original = try Publication.standard()
    var bytes = original.bytes
    let zeros = original.range(ofChunk: 10).lowerBound..<original.range(ofChunk: 29).upperBound
    for index in zeros { bytes[index] = 0 }
    // The last chunk is a short one.
    let last = original.range(ofChunk: 48)
    for index in last { bytes[index] = 0 }
    let site = try Site(Publication(bytes))
    let report = try await Client().fetch(from: site).expectRight(site.publication)
    #expect(report.reusedBytes == UInt64(zeros.count + last.count))
    let asked = site.payload.compactMap(\.served)
    #expect(asked.allSatisfy { !$0.overlaps(UInt64(zeros.lowerBound)..<UInt64(zeros.upperBound)) })
    #expect(site.payloadBytesPromised == bytes.count - zeros.count - last.count)
  }

  @Test("a file of nothing but zeros needs no payload request")
  func nothingButZeros() async throws {
    let site = try Site(Publication([UInt8](repeating: 0, count: 1_000_000)))
    try await Client().fetch(from: site).expectRight(site.publication)
    #expect(site.payload.isEmpty)
  }

  @Test("a user may give any number of connections, and no more than that are open", arguments: [1, 2, 16])
  func connections(_ count: Int) async throws {
    let site = try Site()
    var client = try Client()
    client.options.connections = count
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.server.recording.mostConnections <= count)
  }
}
