import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// Without a manifest: what an earlier run learned of the bytes it left.
struct LearnedTests {
  private static let partial = Client.name + ".part"
  private static let learned = partial + ".learned"
  /// What a download without a manifest is cut into, and where its IDs begin.
  private static let chunkSize = 262_144
  private static let headerLength = 4096

  /// A download that has broken off after at least five chunks.
  private struct Broken {
    let client: Client
    let site: Site
    /// How many IDs were learned.
    let chunks: Int
    let requestsBefore: Int

    var fetched: UInt64 { UInt64(chunkSize * chunks) }
    /// What has been asked of the file since.
    var payload: ArraySlice<RecordedRequest> { site.payload.dropFirst(requestsBefore) }

    func resume() async throws -> TransferReport {
      let outcome = await client.fetch(from: site)
      let report = try #require(outcome.report, "failed: \(String(describing: outcome.error))")
      let isRight = client.scratch.read(Client.name) == site.publication.bytes
      #expect(isRight)
      #expect(try client.scratch.names() == [Client.name])
      #expect(report.fetchedBytes + report.reusedBytes == report.length)
      return report
    }
  }

  private func broken(tag: FaultAction.TagFault? = nil) async throws -> Broken {
    let breaking = FaultRule.on(.payload && .numberForPath(2), .cut(after: 1_500_000, .close))
    let refusing = FaultRule.on(.payload && .numberForPath(3...), .status(404))
    let tags = tag.map { [FaultRule.on(.payload, .etag($0))] } ?? []
    let site = try Site(nil, [breaking, refusing] + tags)
    var client = try Client()
    client.options.manifest = .none
    client.options.connections = 1
    try await client.fetch(from: site).expectFailure(.unreachable)
    site.server.setScript(FaultScript(tags))
    let file = client.scratch.read(Self.learned) ?? []
    let chunks = stride(from: Self.headerLength, to: file.count, by: 32).count { offset in
      file[offset..<min(offset + 32, file.count)].contains { $0 != 0 }
    }
    return Broken(client: client, site: site, chunks: chunks, requestsBefore: site.payload.count)
  }

  @Test("a download that broke off is gone on with, and what came is not fetched again")
  func resumes() async throws {
    let broken = try await broken()
    #expect(broken.chunks == 5)
    let report = try await broken.resume()
    #expect(report.reusedBytes == broken.fetched)
    // All but the first, which asks what there is, are for the version that was learned.
    #expect(broken.payload.dropFirst().allSatisfy { $0.header("If-Range") != nil })
    let served = broken.payload.dropFirst().compactMap(\.served).reduce(0) { $0 + $1.count }
    #expect(UInt64(served) == report.fetchedBytes)
  }

  @Test("it is gone on with by a date too")
  func resumesByDate() async throws {
    let broken = try await broken(tag: FaultAction.TagFault.none)
    #expect(try await broken.resume().reusedBytes == broken.fetched)
  }

  @Test("bytes that are not what they were are fetched again, and no others", arguments: [0, 1_000_000])
  func damaged(_ offset: Int) async throws {
    let broken = try await broken()
    try broken.client.scratch.change(Self.partial) { $0[offset] ^= 1 }
    #expect(try await broken.resume().reusedBytes == broken.fetched - UInt64(Self.chunkSize))
  }

  enum Loss: CaseIterable {
    case gone, empty, noise, header, headerBit, otherFormat, identifiers, lastByte, directory
  }

  @Test("whatever happens to what was learned, the file is right", arguments: Loss.allCases)
  func lost(_ loss: Loss) async throws {
    let broken = try await broken()
    let scratch = broken.client.scratch
    var kept: UInt64 = 0
    switch loss {
    case .gone: try scratch.remove(Self.learned)
    case .empty: try scratch.write([], to: Self.learned)
    case .noise:
      try scratch.change(Self.learned) { bytes in
        for i in bytes.indices { bytes[i] = UInt8(truncatingIfNeeded: i &* 167) }
      }
    case .header: try scratch.change(Self.learned) { $0.removeLast($0.count - 100) }
    case .headerBit: try scratch.change(Self.learned) { $0[3000] ^= 1 }
    case .otherFormat: try scratch.change(Self.learned) { $0[8] = 2 }
    case .identifiers: try scratch.change(Self.learned) { $0.removeLast($0.count - Self.headerLength) }
    case .lastByte:
      try scratch.change(Self.learned) { $0.removeLast() }
      kept = broken.fetched - UInt64(Self.chunkSize)
    case .directory:
      try scratch.remove(Self.learned)
      try scratch.makeDirectory(Self.learned)
    }
    if loss == .directory {
      let outcome = await broken.client.fetch(from: broken.site)
      #expect(outcome.report?.reusedBytes == 0)
      #expect(scratch.read(Client.name) == broken.site.publication.bytes)
    } else {
      #expect(try await broken.resume().reusedBytes == kept)
    }
  }

  enum Change: CaseIterable {
    case version, length, query
  }

  @Test("of another version, or another URL, nothing is taken", arguments: Change.allCases)
  func changed(_ change: Change) async throws {
    let broken = try await broken()
    var bytes = broken.site.publication.bytes
    switch change {
    case .version: bytes = try Publication.older().bytes
    case .length: bytes.removeLast(700_000)
    case .query: break
    }
    broken.site.server.setScript(FaultScript([.on(.payload, .serve(.bytes(bytes)))]))
    let outcome = await broken.client.fetch(change == .query ? broken.site.url + "?v=2" : broken.site.url)
    #expect(outcome.report?.reusedBytes == 0)
    let isRight = broken.client.scratch.read(Client.name) == bytes
    #expect(isRight)
  }

  @Test(
    "with nothing strong that tells versions apart nothing is learned",
    arguments: [FaultAction.TagFault.weak, .noValidators])
  func weak(_ fault: FaultAction.TagFault) async throws {
    let site = try Site(
      nil,
      [.on(.payload, .etag(fault), .dropHeader("Last-Modified")), .on(.payload && .numberForPath(2...), .status(404))])
    var client = try Client()
    client.options.manifest = .none
    try await client.fetch(from: site).expectFailure(.unreachable)
    #expect(try !client.scratch.names().contains(Self.learned))
  }

  @Test("a manifest that has come meanwhile goes on with the same bytes")
  func manifestLater() async throws {
    let broken = try await broken()
    var client = broken.client
    client.options.manifest = .discover
    let report = try await client.fetch(from: broken.site).expectRight(broken.site.publication)
    #expect(report.reusedBytes >= broken.fetched)
  }
}

extension TemporaryDirectory {
  fileprivate func change(_ name: String, _ change: (inout [UInt8]) -> Void) throws {
    var bytes = try #require(read(name))
    change(&bytes)
    try write(bytes, to: name)
  }
}
