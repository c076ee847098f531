import ChunkStore
import ChunkSystem
import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// The network works while the disk is looked at.
struct OverlapTests {
  @Test("what is missing is asked for before the first byte on disk has been hashed", .timeLimit(.minutes(1)))
  func fetchesWhileHashing() async throws {
    let site = try Site()
    let client = try Client()
    let half = site.publication.range(ofChunk: 24).lowerBound
    try client.scratch.write(Array(site.publication.bytes[..<half]), to: Client.name + ".part")

    // Nothing can be read before the server has been asked.
    let isAsked = Monitor(false)
    let waiting = Task {
      try await site.server.waitUntil { $0.requests(to: Site.path).count > 0 }
      isAsked.change { $0 = true }
    }
    let faults = CallFaults { call, _ in
      if call == .pread { _ = isAsked.wait { $0 ? true : nil } }
    }
    let destination = try OutputPath.resolved(client.scratch.path(Client.name), files: FileSystem(faults: faults))
    let outcome = await client.run(try Download(from: site.url, toFile: destination, options: client.options))
    let report = try outcome.expectRight(site.publication)
    #expect(report.reusedBytes == UInt64(half))
    #expect(faults.count(of: .pread) > 0)
    try await waiting.value
  }
}
