import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Packs are written whole or not at all, the same whatever happens around it.
@Suite struct PackFileTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// Hashes `file`, on a thread of its own.
  private func hash() async throws -> HashedFile {
    let path = directory.path("file")
    return try await DedicatedThread.run(name: "hash") {
      Result { try ManifestBuilder().hash(path, chunkSize: ChunkSize(bytes: 4096)) }
    }.get()
  }

  /// Writes `file.zst`, on a thread of its own.
  private func pack(_ hashed: HashedFile, _ way: Way = Way()) async throws -> PackedFile {
    let (path, target) = (directory.path("file"), directory.path("file.zst"))
    let ends = try await DedicatedThread.run(name: "pack") {
      Result {
        let output = try OutputPath(target, files: FileSystem(faults: way.faults))
        return try PackFile(threadCount: way.threads).write(
          of: path, hashed: hashed, level: way.level, to: output, progress: way.progress)
      }
    }.get()
    return PackedFile(hashed: hashed, ends: ends)
  }

  /// How a pack is written.
  private struct Way: Sendable {
    var threads = 2
    var level = PackLevel.standard
    var faults: CallFaults?
    var progress = HashingProgress()
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 255 * 4096, 256 * 4096 + 1, 3000 * 4096 + 5])
  func everyFrameIsThatOfItsChunk(length: Int) async throws {
    let sample = try Sample(length: length, zeros: length > 7 * 4096 ? 2..<7 : 0..<0)
    try directory.write(sample.bytes, to: "file")
    let progress = HashingProgress()
    let packed = try await pack(hash(), Way(progress: progress))
    #expect(progress.bytesDone == UInt64(length))
    #expect(packed.ends.count == sample.ids.count)
    let verification = try await packed.verify(directory.path("file.zst")).verification
    #expect(verification.isRight, "\(verification)")
    #expect(try TestFile.size(directory.path("file.zst")) == verification.expectedLength)
    #expect(try directory.names() == ["file", "file.zst"])
  }

  @Test func theBytesDoNotDependOnThreads() async throws {
    // Something that a compressor finds something in.
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: ($0 >> 3) &* ($0 >> 9)) }
    try directory.write(bytes, to: "file")
    var seen: Set<SHA256Digest> = []
    for threads in [1, 2, 5] {
      _ = try await pack(hash(), Way(threads: threads))
      let pack = try TestFile.read(directory.path("file.zst"))
      seen.insert(SHA256Hasher.hash(pack.span))
    }
    #expect(seen.count == 1)
    let size = try TestFile.size(directory.path("file.zst"))
    #expect(size < 1_500_000)
    let level = try #require(PackLevel(12))
    _ = try await pack(hash(), Way(level: level))
    #expect(try TestFile.size(directory.path("file.zst")) < size)
  }

  @Test func holesAreNotRead() async throws {
    let file = try directory.open("file", OpenMode(.readWrite, creation: .always(0o600)))
    try file.descriptor.truncate(to: (256 << 20) + 17)
    try file.descriptor.pwrite([1].span, at: 100 << 20)
    let faults = CallFaults()
    let packed = try await pack(hash(), Way(threads: 1, faults: faults))
    // The first hole, the chunks of the page that was written, and the tail.
    #expect(faults.count(of: .pread) <= 4)
    #expect(try await packed.verify(directory.path("file.zst")).verification.isRight)
  }

  @Test(arguments: [CallFaults.Fault.error(.noSpace), .error(.ioError), .error(.accessDenied), .short])
  func whateverFailsThePackIsTheOldOneOrTheNewOne(fault: CallFaults.Fault) async throws {
    let sample = try Sample(length: 40 * 4096 + 9)
    try directory.write(sample.bytes, to: "file")
    let clean = CallFaults()
    let hashed = try await hash()
    _ = try await pack(hashed, Way(threads: 1, faults: clean))
    let right = try TestFile.read(directory.path("file.zst"))
    for number in 0..<clean.count() {
      for old in [[], Array("old".utf8)] {
        try prepare(old)
        let plan = CallFaults.Plan(failing: number, with: fault)
        let failed = await failure(hashed, Way(threads: 1, faults: CallFaults(plan))) != nil
        let now = directory.read("file.zst") ?? []
        #expect(now == right || (failed && now == old), "call \(number)")
        #expect(try directory.names() == (now.isEmpty ? ["file"] : ["file", "file.zst"]), "call \(number)")
        if fault == .short { #expect(!failed, "call \(number)") }
      }
    }
  }

  /// Lets an older pack be there, or none.
  private func prepare(_ old: [UInt8]) throws {
    try directory.write(old, to: "file.zst")
    if old.isEmpty { try directory.remove("file.zst") }
  }

  /// What kind of failure comes of it; nil when none does.
  private func failure(_ hashed: HashedFile, _ way: Way = Way()) async -> StoreError.Code? {
    do {
      _ = try await pack(hashed, way)
      return nil
    } catch {
      return (error as? StoreError)?.code ?? .other
    }
  }

  @Test func aFullDiskLeavesNoPart() async throws {
    let sample = try Sample(length: 400 * 4096)
    try directory.write(sample.bytes, to: "file")
    let hashed = try await hash()
    for threads in [1, 3] {
      let faults = CallFaults(.init(failing: 0, of: .pwrite, with: .error(.noSpace), lasting: true))
      #expect(await failure(hashed, Way(threads: threads, faults: faults)) == .diskFull)
      #expect(try directory.names() == ["file"])
    }
  }

  @Test func aFileThatIsNotTheOneThatWasHashedIsAnError() async throws {
    let sample = try Sample(length: 40 * 4096)
    try directory.write(sample.bytes, to: "file")
    let hashed = try await hash()
    for length in [40 * 4096, 39 * 4096] {
      try directory.write(Array(repeating: 1, count: length), to: "file")
      #expect(await failure(hashed) == .changed)
      #expect(try directory.names() == ["file"])
    }
  }

  @Test func itCanBeStopped() async throws {
    try directory.write(try Sample(length: 40 * 4096).bytes, to: "file")
    let way = Way()
    way.progress.cancel()
    #expect(try await failure(hash(), way) == .cancelled)
    #expect(try directory.names() == ["file"])
  }
}
