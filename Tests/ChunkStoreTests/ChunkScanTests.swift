import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct ChunkScanTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  /// What is found, by chunk number.
  func findings(
    _ sample: Sample, _ chosen: [ExpectedChunk]? = nil, kernel: HashKernel = .best, faults: CallFaults? = nil
  ) throws -> [Int: ScannedChunk.Finding] {
    let file = try directory.open("file", .read, through: FileSystem(faults: faults))
    var scan = ChunkScan(FileReader(file), geometry: sample.geometry, kernel: kernel)
    var all: [Int: ScannedChunk.Finding] = [:]
    scan.run(chosen ?? sample.expected) { findings in
      for found in findings {
        #expect(all.updateValue(found.finding, forKey: found.index.rawValue) == nil, "reported twice")
      }
      return true
    }
    return all
  }

  @Test(arguments: [1, 4095, 4096, 4097, 15 * 4096, 16 * 4096, 17 * 4096 + 1, 40 * 4096], HashKernel.available)
  func findsEveryChunkOfARightFile(length: Int, kernel: HashKernel) throws {
    let sample = try Sample(length: length)
    try directory.write(sample.bytes, to: "file")
    let found = try findings(sample, kernel: kernel)
    #expect(found.count == sample.geometry.chunkCount)
    #expect(found.values.allSatisfy { $0 == .right })
  }

  @Test func anEmptyFileHasNothingToFind() throws {
    try directory.write([], to: "file")
    #expect(try findings(Sample(length: 0)).isEmpty)
  }

  @Test func tellsWhatIsThereInstead() throws {
    let sample = try Sample(length: 20 * 4096)
    var bytes = sample.bytes
    bytes[7 * 4096 + 5] ^= 1
    try directory.write(bytes, to: "file")
    let found = try findings(sample)
    let actual = ChunkID(SHA256Hasher.hash(bytes.span.extracting(7 * 4096..<8 * 4096)))
    #expect(found[7] == .wrong(found: actual))
    #expect(found.filter { $0.value == .right }.count == 19)
  }

  @Test func aFileThatEndsEarlyIsWrongAndThenAbsent() throws {
    let sample = try Sample(length: 20 * 4096)
    let bytes = Array(sample.bytes.prefix(5 * 4096 + 100))
    try directory.write(bytes, to: "file")
    let found = try findings(sample)
    #expect((0..<5).allSatisfy { found[$0] == .right })
    #expect(found[5] == .wrong(found: ChunkID(SHA256Hasher.hash(bytes.span.extracting(last: 100)))))
    #expect((6..<20).allSatisfy { found[$0] == .absent })
  }

  @Test func holesStandForZerosOnlyAndAreNotRead() throws {
    let sample = try Sample(length: 64 * 4096, zeros: 0..<32)
    let file = try directory.open("file", OpenMode(.readWrite, creation: .always(0o600)))
    try file.descriptor.truncate(to: UInt64(sample.bytes.count))
    let faults = CallFaults()
    let found = try findings(sample, faults: faults)
    #expect((0..<32).allSatisfy { found[$0] == .right })
    #expect((32..<64).allSatisfy { found[$0] == .absent })
    #expect(faults.count(of: .pread) == 0)
    #expect(faults.count(of: .lseek) == 1)

    try file.descriptor.pwrite(sample.bytes.span.extracting(40 * 4096..<48 * 4096), at: 40 * 4096)
    let again = CallFaults()
    let more = try findings(sample, faults: again)
    #expect(more.filter { $0.value == .right }.count == 40)
    #expect(again.count(of: .lseek) <= 4)
  }

  @Test func aFileSystemWithoutHolesIsReadWhole() throws {
    let sample = try Sample(length: 16 * 4096, zeros: 0..<8)
    try directory.write(sample.bytes, to: "file")
    let faults = CallFaults(.init(failing: 0, of: .lseek, with: .error(.invalidArgument), lasting: true))
    #expect(try findings(sample, faults: faults).values.allSatisfy { $0 == .right })
    #expect(faults.count(of: .lseek) == 1)
  }

  @Test func whatCannotBeReadIsAFindingAndNotTheEnd() throws {
    let sample = try Sample(length: 20 * 4096)
    try directory.write(sample.bytes, to: "file")
    // The first read is that of 16 chunks together; then each is read alone, and the third of those fails.
    let faults = CallFaults(.init(failing: 3, of: .pread, with: .error(.ioError)))
    let once = CallFaults(.init(failing: 0, of: .pread, with: .error(.ioError)))
    #expect(try findings(sample, faults: once).values.allSatisfy { $0 == .right })
    let scattered = sample.expected.filter { $0.index.rawValue.isMultiple(of: 2) }
    let found = try findings(sample, scattered, faults: faults)
    #expect(found.count == 10)
    #expect(found[6] == .unreadable(.ioError))
    #expect(found.filter { $0.value == .right }.count == 9)
  }

  @Test func looksOnlyAtWhatItIsAskedFor() throws {
    let sample = try Sample(length: 40 * 4096 + 1)
    try directory.write(sample.bytes, to: "file")
    let chosen = [40, 3, 17, 4, 5].map { sample.expected[$0] }
    #expect(try findings(sample, chosen).keys.sorted() == [3, 4, 5, 17, 40])
  }

  @Test func endsWhenToldTo() throws {
    let sample = try Sample(length: 100 * 4096)
    try directory.write(sample.bytes, to: "file")
    let file = try directory.open("file", .read)
    var scan = ChunkScan(FileReader(file), geometry: sample.geometry)
    var reports = 0
    scan.run(sample.expected) { _ in
      reports += 1
      return reports < 2
    }
    #expect(reports == 2)
  }

  @Test func chunksLongerThanAStripAreHashedWhole() throws {
    let size = try #require(ChunkSize(bytes: 256 << 10))
    let bytes = try Sample(length: (256 << 10) * 2 + 70_000).bytes
    let geometry = try ChunkGeometry(fileLength: UInt64(bytes.count), chunkSize: size)
    try directory.write(bytes, to: "file")
    let file = try directory.open("file", .read)
    let expected = geometry.chunks.map { chunk in
      ExpectedChunk(
        index: chunk, id: ChunkID(SHA256Hasher.hash(bytes.span.extracting(geometry.range(of: chunk).indices))))
    }
    var scan = ChunkScan(FileReader(file), geometry: geometry)
    var right = 0
    scan.run(expected) { findings in
      right += findings.count(where: \.isRight)
      return true
    }
    #expect(right == 3)
  }
}
