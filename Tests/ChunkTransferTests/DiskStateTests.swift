import ChunkTestSupport
import ChunkTransfer
import FaultServer
import Testing

/// What is on disk before: only what hashes right is kept, and only what is missing is fetched.
struct DiskStateTests {
  @Test("a file that is right already needs no payload request, and no manifest page twice")
  func rightAlready() async throws {
    let site = try Site()
    let client = try Client()
    try client.scratch.write(site.publication.bytes, to: Client.name)
    let report = try #require(await client.fetch(from: site).report)
    #expect(report.reusedBytes == report.length)
    #expect(report.requests == 0)
    #expect(site.payload.isEmpty)
    #expect(try client.scratch.names() == [Client.name])
  }

  @Test("of a file with three damaged chunks exactly those are fetched")
  func damaged() async throws {
    let site = try Site()
    let client = try Client()
    var bytes = site.publication.bytes
    let damaged = [3, 17, 48]
    for chunk in damaged { bytes[site.publication.range(ofChunk: chunk).lowerBound + 99] ^= 0x10 }
    try client.scratch.write(bytes, to: Client.name)
    try await client.fetch(from: site).expectRight(site.publication)
    let asked = site.payload.compactMap(\.served).map { Int($0.lowerBound)..<Int($0.upperBound) }
    #expect(asked.sorted { $0.lowerBound < $1.lowerBound } == damaged.map(site.publication.range(ofChunk:)))
  }

  @Test("an existing file that is too long is cut, and nothing is fetched")
  func tooLong() async throws {
    let site = try Site()
    let client = try Client()
    try client.scratch.write(site.publication.bytes + [1, 2, 3], to: Client.name)
    try await client.fetch(from: site).expectRight(site.publication)
    #expect(site.payload.isEmpty)
  }

  @Test("an existing file is left alone when it may not be replaced")
  func mayNotReplace() async throws {
    let site = try Site()
    var client = try Client()
    client.options.mayReplace = false
    try client.scratch.write([1, 2, 3], to: Client.name)
    let outcome = await client.fetch(from: site)
    #expect(outcome.error?.code == .invalidRequest)
    #expect(client.scratch.read(Client.name) == [1, 2, 3])
    #expect(site.payload.isEmpty)
  }

  /// A partial as something left it, and the chunks of it that are of use.
  enum Partial: CaseIterable {
    case empty, zeros, prefix, prefixOfAnotherProgram, complete, tooLong, olderVersion, halfOlderVersion

    func bytes(of publication: Publication) throws -> [UInt8] {
      let bytes = publication.bytes
      let half = publication.range(ofChunk: 20).lowerBound
      return switch self {
      case .empty: []
      case .zeros: [UInt8](repeating: 0, count: bytes.count)
      case .prefix: Array(bytes[..<half])
      case .prefixOfAnotherProgram: Array(bytes[..<(half + 12_345)])
      case .complete: bytes
      case .tooLong: bytes + [UInt8](repeating: 7, count: 100_000)
      case .olderVersion: try Publication.older().bytes
      case .halfOlderVersion: Array(bytes[..<half]) + (try Publication.older().bytes)[half...]
      }
    }

    var usefulChunks: Int {
      switch self {
      case .empty, .zeros, .olderVersion: 0
      case .prefix, .prefixOfAnotherProgram, .halfOlderVersion: 20
      case .complete, .tooLong: 49
      }
    }
  }

  @Test("a partial is used for what hashes right in it, whoever left it", arguments: Partial.allCases)
  func partial(_ partial: Partial) async throws {
    let site = try Site()
    let client = try Client()
    try client.scratch.write(partial.bytes(of: site.publication), to: "out.bin.part")
    let report = try await client.fetch(from: site).expectRight(site.publication)
    let reused = min(partial.usefulChunks * site.publication.chunkSize, site.publication.bytes.count)
    #expect(report.reusedBytes == UInt64(reused))
    #expect(site.payloadBytesPromised == site.publication.bytes.count - reused)
  }

  enum SideFile: CaseIterable {
    case gone, empty, noise, truncated, ofAnotherVersion

    func bytes(of publication: Publication) throws -> [UInt8]? {
      switch self {
      case .gone: nil
      case .empty: []
      case .noise: Content.pattern(length: 5000, seed: 9).all
      case .truncated: Array(publication.manifest[..<100])
      case .ofAnotherVersion: try Publication.older().manifest
      }
    }
  }

  @Test("a side file may say anything: progress is what is on disk", arguments: SideFile.allCases)
  func sideFile(_ sideFile: SideFile) async throws {
    let site = try Site()
    let client = try Client()
    try client.scratch.write(Partial.prefix.bytes(of: site.publication), to: "out.bin.part")
    if let bytes = try sideFile.bytes(of: site.publication) {
      try client.scratch.write(bytes, to: "out.bin.part.chunks")
      try client.scratch.write(bytes, to: "out.bin.part.learned")
    }
    let report = try #require(await client.fetch(from: site).report)
    #expect(report.reusedBytes == UInt64(20 * site.publication.chunkSize))
    #expect(report.discardedBytes == 0)
    let isRight = client.scratch.read(Client.name) == site.publication.bytes
    #expect(isRight)
  }

  @Test("cancelled midway, it keeps what was verified; the same download fetches only the rest")
  func cancelAndResume() async throws {
    let gate = Gate()
    let site = try Site(nil, [.on(.payload, .stall(after: 700_000, .gate(gate)))])
    let client = try Client()
    let download = try client.download(site.url)
    let running = Task { try await download.run() }
    for await progress in download.progress where progress.verifiedBytes > 500_000 { break }
    running.cancel()
    let cancelled = await running.result
    #expect(throws: TransferError.self) { try cancelled.get() }
    #expect(try !client.scratch.names().contains(Client.name))
    #expect(try client.scratch.names().contains("out.bin.part"))

    gate.open()
    let before = site.payloadBytesPromised
    let report = try await client.fetch(from: site).expectRight(site.publication)
    #expect(report.reusedBytes > 500_000)
    #expect(site.payloadBytesPromised - before == Int(report.fetchedBytes))
  }

  @Test("a task that is cancelled before it begins fetches nothing")
  func cancelledAtOnce() async throws {
    let site = try Site()
    let client = try Client()
    let outcome = await Task {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return await client.fetch(from: site)
    }.value
    try outcome.expectFailure(.cancelled)
    #expect(site.payload.isEmpty)
  }

  @Test(
    "names in a URL cannot leave the directory",
    arguments: [
      "/", "/a/", "/..", "/.", "/a/%2e%2e", "/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "/a%2fb", "/a%00b", "/a%0ab",
      "/" + String(repeating: "n", count: 243),
    ])
  func names(_ path: String) {
    #expect(throws: TransferError.self) { try Download.fileName(for: "http://host.example\(path)") }
  }

  @Test("a name is the last component, decoded, without query and fragment")
  func goodNames() throws {
    #expect(try Download.fileName(for: "https://host.example/a/b%20c.iso?token=x#sha256=1") == "b c.iso")
    let longest = String(repeating: "n", count: 242)
    #expect(try Download.fileName(for: "https://host.example/\(longest)") == longest)
  }
}
