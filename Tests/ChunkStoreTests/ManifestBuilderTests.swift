import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Synchronization
import Testing

@Suite struct ManifestBuilderTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 16 * 4096, 300 * 4096, 300 * 4096 + 1])
  func hashesWhatTheFileHolds(length: Int) async throws {
    let sample = try Sample(length: length)
    try directory.write(sample.bytes, to: "file")
    let progress = HashingProgress()
    let hashed = try await build("file", wholeFile: true, progress: progress)
    #expect(hashed.geometry == sample.geometry)
    #expect(hashed.chunkIDs == sample.ids)
    #expect(hashed.wholeFile == SHA256Hasher.hash(sample.bytes.span))
    #expect(progress.bytesDone == UInt64(length))
    #expect(progress.bytesTotal == UInt64(length))
  }

  @Test func theResultDoesNotDependOnThreads() async throws {
    let sample = try Sample(length: 700 * 4096 + 3)
    try directory.write(sample.bytes, to: "file")
    for threads in [1, 2, 5] {
      let hashed = try await build("file", threads: threads)
      #expect(hashed.chunkIDs == sample.ids)
      #expect(hashed.wholeFile == nil)
    }
  }

  @Test func holesAreNotRead() async throws {
    let file = try directory.open("file", OpenMode(.readWrite, creation: .always(0o600)))
    try file.descriptor.truncate(to: (5 << 30) + 17)
    try file.descriptor.pwrite([1].span, at: 3 << 30)
    let faults = CallFaults()
    let size = try #require(ChunkSize(bytes: 1 << 20))
    let path = directory.path("file")
    let hashed = try await DedicatedThread.run(name: "build") {
      Result { try ManifestBuilder(files: FileSystem(faults: faults)).hash(path, chunkSize: size) }
    }.get()
    #expect(hashed.chunkIDs.count == 5121)
    #expect(Set(hashed.chunkIDs).count == 3)
    #expect(hashed.chunkIDs[0] == ZeroChunk.id(length: 1 << 20))
    #expect(hashed.chunkIDs[5120] == ZeroChunk.id(length: 17))
    #expect(hashed.chunkIDs[3072] != hashed.chunkIDs[0])
    // Strips of 256 KiB past the page cache, of 64 through it.
    #expect(faults.count(of: .pread) == (faults.count(of: .setDirect) == 1 ? 4 : 16))
  }

  @Test func aFileThatChangesMeanwhileIsAnError() async throws {
    let sample = try Sample(length: 64 * 4096)
    try directory.write(sample.bytes, to: "file")
    let other = try directory.open("file", .readWrite)
    let changes: [@Sendable (OpenFile) throws -> Void] = [
      { try $0.descriptor.pwrite([1].span, at: 5) },
      { try $0.descriptor.truncate(to: 100_000) },
      { try $0.descriptor.truncate(to: 1_000_000) },
    ]
    for wholeFile in [false, true] {
      for change in changes {
        try other.descriptor.truncate(to: 0)
        try other.descriptor.pwrite(sample.bytes.span, at: 0)
        let done = Atomic(false)
        let faults = CallFaults { call, _ in
          if call == .pread, !done.exchange(true, ordering: .relaxed) { try? change(other) }
        }
        await #expect(throws: StoreError(.changed, "", path: "")) {
          try await build("file", wholeFile: wholeFile, files: FileSystem(faults: faults))
        }
      }
    }
  }

  @Test func whatCannotBeReadIsAnError() async throws {
    try directory.write(Sample(length: 64 * 4096).bytes, to: "file")
    let files = FileSystem(faults: CallFaults(.init(failing: 2, of: .pread, with: .error(.ioError), lasting: true)))
    let path = directory.path("file")
    for wholeFile in [false, true] {
      let result = try await DedicatedThread.run(name: "build") {
        Result { try ManifestBuilder(files: files).hash(path, chunkSize: .minimum, wholeFile: wholeFile) }
      }
      #expect(throws: StoreError(.inputOutput, "", path: "")) { try result.get() }
    }
  }

  @Test func refusesWhatIsNoFile() async throws {
    try directory.makeFifo("fifo")
    await #expect(throws: StoreError(.notUsable, "", path: "")) { try await build("fifo") }
    await #expect(throws: StoreError(.notUsable, "", path: "")) { try await build("") }
    await #expect(throws: StoreError(.missing, "", path: "")) { try await build("none") }
    let file = try directory.open("file", OpenMode(.readWrite, creation: .always(0o600)))
    try file.descriptor.truncate(to: (4096 << 24) + 1)
    await #expect(throws: StoreError(.notUsable, "", path: "")) { try await build("file") }
  }

  @Test func canBeStopped() async throws {
    try directory.write(Sample(length: 64 * 4096).bytes, to: "file")
    let progress = HashingProgress()
    progress.cancel()
    for wholeFile in [false, true] {
      await #expect(throws: StoreError(.cancelled, "", path: "")) {
        try await build("file", wholeFile: wholeFile, progress: progress)
      }
    }
  }

  @Test func theManifestIsReplacedAtOnce() async throws {
    let sample = try Sample(length: 5 * 4096)
    let encoder = try ManifestEncoder(geometry: sample.geometry, chunkIDs: sample.ids)
    try directory.write([1, 2, 3], to: "file.chunks")
    let faults = CallFaults()
    try ManifestFile.write(encoder, to: OutputPath(directory.path("file.chunks"), files: FileSystem(faults: faults)))
    #expect(directory.read("file.chunks") == encoder.encode())
    #expect(try directory.names() == ["file.chunks"])
    let order = faults.history.filter { [.fsync, .rename, .pwrite].contains($0) }
    #expect(order.suffix(3) == [.fsync, .rename, .fsync])
    try ManifestFile.write(encoder, to: OutputPath("/dev/null"))
  }

  private func build(
    _ name: String, wholeFile: Bool = false, threads: Int = 2, files: FileSystem = FileSystem(),
    progress: HashingProgress = HashingProgress()
  ) async throws -> HashedFile {
    let path = directory.path(name)
    return try await DedicatedThread.run(name: "build") {
      Result {
        try ManifestBuilder(files: files, threadCount: threads)
          .hash(path, chunkSize: .minimum, wholeFile: wholeFile, progress: progress)
      }
    }.get()
  }
}
