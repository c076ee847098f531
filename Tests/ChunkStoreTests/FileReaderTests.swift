import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Files that are not in the page cache, read past it.
@Suite struct FileReaderTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// A file that is on the medium and nowhere else.
  func write(_ bytes: [UInt8]) throws {
    try directory.write(bytes, to: "file")
    let file = try directory.open("file", .read)
    try file.descriptor.sync()
    try file.descriptor.dropCache()
  }

  func reader(_ faults: CallFaults? = nil) throws -> FileReader {
    FileReader(pastCache: try directory.open("file", .read, through: FileSystem(faults: faults)), shortest: 0)
  }

  func findings(
    _ expected: [ExpectedChunk], _ geometry: ChunkGeometry, _ reader: FileReader, kernel: HashKernel = .best
  ) -> [Int: ScannedChunk.Finding] {
    var scan = ChunkScan(reader, geometry: geometry, kernel: kernel)
    var all: [Int: ScannedChunk.Finding] = [:]
    scan.run(expected) { findings in
      for found in findings { all[found.index.rawValue] = found.finding }
      return true
    }
    return all
  }

  @Test(
    arguments: [1, 4095, 4096, 4097, 255 * 4096 + 1, 256 * 4096, 257 * 4096 + 511, 600 * 4096], HashKernel.available)
  func whatIsNotCachedIsReadRightAndIsNotCachedAfterwards(length: Int, kernel: HashKernel) throws {
    let sample = try Sample(length: length)
    try write(sample.bytes)
    let reader = try reader()
    #expect(reader.isPastCache)
    #expect(findings(sample.expected, sample.geometry, reader, kernel: kernel).values.allSatisfy { $0 == .right })
    #expect(findings(sample.expected, sample.geometry, reader).count == sample.geometry.chunkCount)
    if length >= 4096 {
      // The end, where it is not aligned, is read through the cache.
      let file = try directory.open("file", .read)
      #expect(try !file.descriptor.isCached(offset: 0, count: min(length, 1 << 20)))
    }
  }

  @Test(arguments: [64 << 10, 256 << 10, 1 << 20])
  func chunksOfEverySizeAreHashedWhole(size: Int) throws {
    let chunkSize = try #require(ChunkSize(bytes: size))
    let bytes = try Sample(length: 7 * size + 70_001).bytes
    let geometry = try ChunkGeometry(fileLength: UInt64(bytes.count), chunkSize: chunkSize)
    try write(bytes)
    let expected = geometry.chunks.map { chunk in
      ExpectedChunk(
        index: chunk, id: ChunkID(SHA256Hasher.hash(bytes.span.extracting(geometry.range(of: chunk).indices))))
    }
    #expect(
      findings(expected, geometry, try reader())
        == findings(expected, geometry, FileReader(try directory.open("file", .read))))
    try write(bytes)
    let scattered = expected.filter { $0.index.rawValue % 2 == 0 }
    let found = findings(scattered, geometry, try reader())
    #expect(found.count == scattered.count && found.values.allSatisfy { $0 == .right })
  }

  @Test(arguments: [0, 100, 4096, 5 * 4096 + 100, 15 * 4096, 17 * 4096, 30 * 4096])
  func aFileOfAnotherLengthIsSeenAsThroughTheCache(length: Int) throws {
    let sample = try Sample(length: 20 * 4096 - 77)
    try write(Array((sample.bytes + [UInt8](repeating: 7, count: 20 * 4096)).prefix(length)))
    let past = findings(sample.expected, sample.geometry, try reader())
    #expect(past == findings(sample.expected, sample.geometry, FileReader(try directory.open("file", .read))))
    #expect(past.count == 20)
  }

  @Test func whatIsCachedIsReadThere() throws {
    let sample = try Sample(length: 600 * 4096)
    try directory.write(sample.bytes, to: "file")
    let faults = CallFaults()
    #expect(try !reader(faults).isPastCache)
    #expect(faults.count(of: .setDirect) == 0)
  }

  @Test func aShortFileIsReadThroughTheCache() throws {
    let sample = try Sample(length: 600 * 4096)
    try write(sample.bytes)
    #expect(!FileReader(pastCache: try directory.open("file", .read)).isPastCache)
  }

  @Test(.enabled(if: MountedFileSystem.isPossible(.tmpfs), "no file system can be mounted here"))
  func memoryIsNotReadPastTheCache() throws {
    let disk = try MountedFileSystem(.tmpfs, megabytes: 4)
    let files = FileSystem()
    let file = OpenFile(try files.open("\(disk.path)/file", OpenMode(.readWrite, creation: .always(0o600))))
    try file.descriptor.truncate(to: 1 << 20)
    #expect(!FileReader(pastCache: file, shortest: 0).isPastCache)
  }

  @Test(arguments: [SystemCall.stat, .statfs, .mincore, .setDirect], [Errno.invalidArgument, .notSupported, .ioError])
  func whereItCannotBeHadTheFileIsReadThroughTheCache(call: SystemCall, error: Errno) throws {
    let sample = try Sample(length: 300 * 4096 + 1)
    try write(sample.bytes)
    let faults = CallFaults(.init(failing: 0, of: call, with: .error(error)))
    let reader = try reader(faults)
    #expect(!reader.isPastCache)
    #expect(findings(sample.expected, sample.geometry, reader).values.allSatisfy { $0 == .right })
  }

  /// The first to be opened is the file, and the second is the same, for reading past the cache.
  @Test func withoutProcTheFileIsReadThroughTheCache() throws {
    let sample = try Sample(length: 300 * 4096 + 1)
    try write(sample.bytes)
    let faults = CallFaults(.init(failing: 1, of: .open, with: .error(.noSuchFile)))
    let file = OpenFile(try FileSystem(faults: faults).open(directory.path("file"), .read))
    let reader = FileReader(pastCache: file, shortest: 0)
    #expect(faults.count(of: .open) == 2 && !reader.isPastCache)
    #expect(findings(sample.expected, sample.geometry, reader).values.allSatisfy { $0 == .right })
  }

  @Test(arguments: [0, 1], [Errno.invalidArgument, .notSupported])
  func oneThatRefusesLaterIsReadThroughTheCacheFromThereOn(number: Int, error: Errno) throws {
    let sample = try Sample(length: 600 * 4096 + 1)
    try write(sample.bytes)
    let reader = try reader(CallFaults(.init(failing: number, of: .pread, with: .error(error))))
    #expect(reader.isPastCache)
    #expect(findings(sample.expected, sample.geometry, reader).values.allSatisfy { $0 == .right })
    #expect(!reader.isPastCache)
  }

  @Test func aReadThatIsCutShortGoesOn() throws {
    let sample = try Sample(length: 600 * 4096 + 1)
    for number in 0..<5 {
      try write(sample.bytes)
      let reader = try reader(CallFaults(.init(failing: number, of: .pread, with: .short)))
      #expect(findings(sample.expected, sample.geometry, reader).values.allSatisfy { $0 == .right })
    }
  }

  @Test func aMediumThatFailsIsNotAskedThroughTheCache() throws {
    let sample = try Sample(length: 20 * 4096)
    try write(sample.bytes)
    let scattered = sample.expected.filter { $0.index.rawValue.isMultiple(of: 2) }
    let faults = CallFaults(.init(failing: 3, of: .pread, with: .error(.ioError)))
    let found = findings(scattered, sample.geometry, try reader(faults))
    #expect(found[6] == .unreadable(.ioError))
    #expect(found.filter { $0.value == .right }.count == 9)
    #expect(faults.count(of: .pread) == 10)
  }

  @Test func bothBuilderAndVerifierReadALongFilePastTheCache() throws {
    let sample = try Sample(length: 4096)
    try directory.write(sample.bytes, to: "file")
    let length = Int(FileReader.shortestPastCache)
    var bytes = sample.bytes
    while bytes.count < length { bytes += bytes }
    try write(bytes)
    let faults = CallFaults()
    let files = FileSystem(faults: faults)
    let hashed = try ManifestBuilder(files: files).hash(directory.path("file"), chunkSize: .minimum)
    #expect(hashed.chunkIDs == Array(repeating: sample.ids[0], count: length / 4096))
    let verifier = FileVerifier(files: files)
    let ids: @Sendable (Int) -> [ChunkID] = { _ in Array(repeating: sample.ids[0], count: 1024) }
    #expect(try verifier.verify(directory.path("file"), geometry: hashed.geometry, ids: ids) { _ in }.isRight)
    #expect(faults.count(of: .setDirect) == 2)
    let whole = try ManifestBuilder(files: files).hash(directory.path("file"), chunkSize: .minimum, wholeFile: true)
    #expect(whole.wholeFile == SHA256Hasher.hash(bytes.span))
    #expect(faults.count(of: .setDirect) == 2)
  }
}
