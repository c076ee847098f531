import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct PartialFileFinishTests {
  let directory: TemporaryDirectory
  let sample: Sample

  init() throws {
    directory = try TemporaryDirectory()
    sample = try Sample(length: 10 * 4096 + 17)
  }

  func open(_ faults: CallFaults? = nil) throws -> PartialFile {
    let partial = try PartialFile.open(for: OutputPath(directory.path("file"), files: FileSystem(faults: faults)))
    try partial.setLength(UInt64(sample.bytes.count))
    return partial
  }

  @Test func chunksGoToTheirPlacesNeighboursTogether() throws {
    let faults = CallFaults()
    let partial = try open(faults)
    try partial.write(sample.verified([4, 10, 3, 5, 8]), in: sample.geometry)
    #expect(faults.count(of: .pwritev) == 1)
    #expect(faults.count(of: .pwrite) == 2)
    #expect(sample.rightChunks(in: partial.file) == [3, 4, 5, 8, 10])
    try partial.write([], in: sample.geometry)
    try partial.write(sample.verified([0, 1, 2, 6, 7, 9]), in: sample.geometry)
    #expect(directory.read("file.part") == sample.bytes)
  }

  @Test func finishesInAnOrderThatIsSafe() throws {
    let faults = CallFaults()
    let partial = try open(faults)
    try partial.openSideFile(.manifest).write([1].span, at: 0)
    try partial.write(sample.verified(0...10), in: sample.geometry)
    let before = faults.count()
    try partial.finish(length: UInt64(sample.bytes.count))
    let order = faults.history.dropFirst(before).filter { $0 != .stat && $0 != .open && $0 != .pread }
    #expect(order == [.fchmod, .fdatasync, .rename, .fsync, .unlink, .lock])
    #expect(try directory.names() == ["file"])
    #expect(directory.read("file") == sample.bytes)
    #expect(throws: StoreError.self) { try partial.finish(length: 1) }
    #expect(directory.read("file") == sample.bytes)
  }

  @Test func theFileGetsItsLength() throws {
    let partial = try open()
    try partial.finish(length: 0)
    #expect(directory.read("file") == [])
  }

  @Test func permissionsAreThoseOfAnyNewFile() throws {
    try open().finish(length: 0)
    let expected = FilePermissions(rawValue: 0o666 & ~FileSystem().creationMask().rawValue)
    #expect(try FileSystem().status(directory.path("file")).permissions == expected)
  }

  @Test func permissionsAreThoseOfTheFileThatIsReplaced() throws {
    try directory.write([1], to: "file")
    let existing = try directory.open("file", .readWrite)
    try existing.descriptor.setPermissions(0o4751)
    try open().finish(length: 0)
    #expect(try FileSystem().status(directory.path("file")).permissions == 0o751)
    #expect(directory.read("file") == [])
  }

  @Test func permissionsAreThoseThatWereAskedFor() throws {
    try open().finish(length: 0, permissions: 0o640)
    #expect(try FileSystem().status(directory.path("file")).permissions == 0o640)
  }

  @Test func aLinkIsReplacedAndNotFollowed() throws {
    try directory.write([1], to: "target")
    try directory.makeLink("file", to: "target")
    let partial = try open()
    try partial.write(sample.verified(0...10), in: sample.geometry)
    try partial.finish(length: UInt64(sample.bytes.count))
    #expect(directory.read("target") == [1])
    #expect(try FileSystem().status(directory.path("file"), followsLinks: false).kind == .regular)
  }

  @Test func anExistingFileStaysWhenThatIsWanted() throws {
    try directory.write([1], to: "file")
    let partial = try open()
    #expect(throws: StoreError(.notUsable, "", path: "")) { try partial.finish(length: 3, replacing: false) }
    #expect(directory.read("file") == [1])
    try partial.finish(length: 3)
    #expect(directory.read("file") == [0, 0, 0])
  }

  @Test func afterBytesWereLostThereIsNoSecondTry() throws {
    let faults = CallFaults(.init(failing: 0, of: .fdatasync, with: .error(.ioError)))
    let partial = try open(faults)
    try partial.write(sample.verified(0...10), in: sample.geometry)
    let lost = StoreError(.inputOutput, "", path: "")
    #expect(throws: lost) { try partial.finish(length: UInt64(sample.bytes.count)) }
    #expect(throws: lost) { try partial.finish(length: UInt64(sample.bytes.count)) }
    #expect(throws: lost) { try partial.write(sample.verified([0]), in: sample.geometry) }
    #expect(faults.count(of: .fdatasync) == 1)
    #expect(faults.count(of: .rename) == 0)
    #expect(try directory.names() == ["file.part"])
  }

  @Test func theNextRunReadsFromTheMedium() throws {
    let first = CallFaults()
    try open(first).write(sample.verified(0...3), in: sample.geometry)
    #expect(first.count(of: .fadvise) == 0)
    let second = CallFaults()
    let partial = try open(second)
    #expect(second.count(of: .fadvise) == 1)
    #expect(sample.rightChunks(in: partial.file) == [0, 1, 2, 3])
  }

  @Test func takesRangesOfAnotherFileInEveryWay() throws {
    for refused in [[], [SystemCall.clone], [.clone, .copyFileRange]] {
      for call in refused.suffix(1) + (refused.isEmpty ? [SystemCall.syncfs] : []) {
        let faults = CallFaults(.init(failing: 0, of: call, with: .error(.notSupported), lasting: true))
        try directory.write(sample.bytes, to: "seed")
        let partial = try open(faults)
        let ranges = [2, 3, 7, 10].map { sample.geometry.range(of: ChunkIndex($0)) }
        try partial.take(ranges, from: directory.open("seed", .read))
        #expect(sample.rightChunks(in: partial.file) == [2, 3, 7, 10])
        try partial.discard()
      }
    }
  }

  @Test func takesWhatThereIsOfAShorterFile() throws {
    try directory.write(Array(sample.bytes.prefix(3 * 4096 + 5)), to: "seed")
    let partial = try open()
    try partial.take([ByteRange(offset: 0, count: UInt64(sample.bytes.count))], from: directory.open("seed", .read))
    #expect(sample.rightChunks(in: partial.file) == [0, 1, 2])
    #expect(try partial.file.descriptor.status().size == UInt64(sample.bytes.count))
  }

  @Test func leavesOutWhatCannotBeRead() throws {
    let faults = CallFaults(.init(failing: 0, of: .pread, with: .error(.ioError)))
    try directory.write(sample.bytes, to: "seed")
    let blocked = CallFaults(.init(failing: 0, of: .copyFileRange, with: .error(.notSupported), lasting: true))
    let partial = try open(blocked)
    let source = try directory.open("seed", .read, through: FileSystem(faults: faults))
    let ranges = [1, 2].map { sample.geometry.range(of: ChunkIndex($0)) }
    try partial.take(ranges, from: source)
    #expect(sample.rightChunks(in: partial.file) == [2])
  }
}
