import ChunkTestSupport
import Testing

/// What the publisher's command writes, fetched by the other one: a pack, and chunks as objects.
@Suite struct PublishedFormsTests {
  /// A file of text, 4 MiB in chunks of 64 KiB, and of noise where asked for.
  private static func content() -> [UInt8] {
    var random = SeededRandom(seed: 11)
    var bytes = [UInt8]()
    while bytes.count < 4 << 20 { bytes += Array("line \(random.next() % 1000) of a log that says little\n".utf8) }
    return Array(bytes.prefix(4 << 20))
  }

  private func build(_ words: [String], in directory: TemporaryDirectory) async throws {
    var program = Subprocess("chunkmanifest", ["build", "-q", "--chunk-size", "64K"] + words + ["file"])
    program.directory = directory.path
    let built = try await program.run()
    #expect(built.end == .exited(0), "\(built)")
  }

  @Test func aPackSavesWhatItSaves() async throws {
    let bytes = Self.content()
    let origin = try await RunningOrigin { try $0.write(bytes, to: "file") }
    try await build(["--pack"], in: origin.directory)
    let directory = try TemporaryDirectory()
    let run = try await GetRun([origin.url + "file", "-o", directory.path("out")])
    #expect(run.status == 0, "\(run)")
    let isRight = directory.read("out") == bytes
    #expect(isRight)
    let pack = try #require(run.done?.sources?.first { $0.url.hasSuffix("/file.zst") })
    #expect(pack.bytes > 0 && pack.bytes < bytes.count / 3, "\(run)")
    #expect(pack.wrongChunks == [] && run.done?.sources?.allSatisfy { !$0.quarantined } == true)
    let head = try await origin.curl("file.zst", "--head")
    #expect(head["Content-Type"] == "application/zstd")
  }

  @Test func aStoreAloneIsEnough() async throws {
    let bytes = Self.content()
    let origin = try await RunningOrigin { try $0.write(bytes, to: "file") }
    try await build(["--source-store", "store/"], in: origin.directory)
    let exported = try await chunkmanifest("export-store", "-q", "--compress", "file", "store", in: origin.directory)
    #expect(exported.end == .exited(0), "\(exported)")
    // What is published is the manifest and the store.
    try origin.directory.remove("file")
    let directory = try TemporaryDirectory()
    let run = try await GetRun([origin.url + "file", "-o", directory.path("out")])
    #expect(run.status == 0, "\(run)")
    let isRight = directory.read("out") == bytes
    #expect(isRight)
    #expect(run.done?.sources?.contains { $0.url.hasSuffix("/store/") && $0.bytes > 0 } == true, "\(run)")
  }
}
