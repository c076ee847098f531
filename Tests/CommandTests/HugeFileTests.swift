import ChunkTestSupport
import FaultServer
import Testing

/// Files as long as a disk, all hole but for their beginning and, if wanted, one place far behind.
@Suite(.timeLimit(.minutes(10))) struct HugeFileTests {
  struct Huge: Sendable {
    let length: UInt64
    /// What may be read of its manifest.
    let manifestBytes: Int
    let hasFarPlace: Bool
  }

  private static let block = Content.pattern(length: 3 << 20).all
  private static let farPlace: UInt64 = 700 << 30

  /// The group roots of 1 TiB fit into the first read of 64 KiB; those of 16 TiB are 128 KiB. Each place takes one leaf page
  /// of 32 KiB.
  @Test(arguments: [
    Huge(length: 1 << 40, manifestBytes: 100 << 10, hasFarPlace: false),
    Huge(length: 1 << 40, manifestBytes: 132 << 10, hasFarPlace: true),
    Huge(length: (16 << 40) - 4096, manifestBytes: 164 << 10, hasFarPlace: false),
  ])
  func `little of a manifest is needed for the first byte, and no more memory for a longer file`(
    file: Huge
  ) async throws {
    let origin = try await RunningOrigin("--verbose") { directory in
      let path = try directory.write(Self.block, to: "huge")
      try TestFile.truncate(path, to: file.length)
      if file.hasFarPlace { try TestFile.overwrite(path, at: Self.farPlace, with: Self.block) }
    }
    let built = try await Subprocess("chunkmanifest", ["build", "-q", origin.directory.path("huge")]).run()
    #expect(built.status == 0, "\(built)")

    let directory = try TemporaryDirectory()
    let program = GetRun.program(["-q", origin.url + "huge"], in: directory)
    let (result, peakMemory) = try await program.runMeasuringMemory()
    #expect(result.status == 0, "\(result)")
    #expect(try #require(peakMemory) < 64 << 20)
    let path = directory.path("huge")
    #expect(try TestFile.size(path) == file.length)
    for place in file.hasFarPlace ? [0, Self.farPlace] : [0] {
      #expect(try TestFile.read(path, at: place, count: Self.block.count).elementsEqual(Self.block))
    }
    #expect(try TestFile.allocatedBytes(path) <= 16 << 20, "holes stay holes")

    origin.process.kill(15)
    let log = await origin.process.result.errorLines.filter { $0.contains("/huge.chunks ") }
    let manifestBytes = log.compactMap(Self.rangeLength).reduce(0, +)
    #expect(manifestBytes <= file.manifestBytes, "\(log)")
    #expect(manifestBytes > 64 << 10, "a log that was read: \(log)")
  }

  /// Of a line that ends with `206 bytes 0-9/100`: 10.
  private static func rangeLength(_ line: String) -> Int? {
    let range = line.split(separator: " ").last?.split(separator: "/").first?.split(separator: "-").compactMap {
      Int($0)
    }
    guard let range, range.count == 2 else { return nil }
    return range[1] - range[0] + 1
  }
}
