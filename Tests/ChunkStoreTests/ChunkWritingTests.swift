import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Chunks written past the page cache, and what happens where that is not to be had.
@Suite struct ChunkWritingTests {
  let directory: TemporaryDirectory
  let sample: Sample

  init() throws {
    directory = try TemporaryDirectory()
    // The last chunk is not aligned, and has to go through the cache.
    sample = try Sample(length: 20 * 4096 + 100)
  }

  /// Writes everything in three runs and a single chunk, as a long file would be.
  private func writeAll(_ faults: CallFaults) throws {
    let output = try OutputPath(directory.path("file"), files: FileSystem(faults: faults))
    let partial = try PartialFile.open(for: output)
    let length = sample.geometry.fileLength
    try partial.setLength(length)
    try partial.preallocate([ByteRange(offset: 0, count: length)])
    partial.writePastCache(length: PartialFile.shortestPastCache)
    for numbers in [[4, 5, 6], [7], [0, 2, 1, 3], Array(8..<21)] {
      try partial.write(sample.verified(numbers), in: sample.geometry)
    }
    try partial.finish(length: length)
  }

  private var isRight: Bool { directory.read("file") == sample.bytes }

  @Test func whatIsAlignedGoesPastTheCacheAndTheRestThroughIt() throws {
    let faults = CallFaults()
    try writeAll(faults)
    #expect(isRight)
    #expect(faults.count(of: .setDirect) == 1)
  }

  @Test(arguments: [Errno.invalidArgument, .notSupported])
  func aFileSystemThatCannotIsWrittenThroughTheCache(error: Errno) throws {
    let faults = CallFaults(.init(failing: 0, of: .setDirect, with: .error(error)))
    try writeAll(faults)
    #expect(isRight)
  }

  @Test(arguments: [SystemCall.pwrite, .pwritev], [0, 1])
  func oneThatRefusesLaterIsWrittenThroughTheCacheFromThereOn(call: SystemCall, number: Int) throws {
    let faults = CallFaults(.init(failing: number, of: call, with: .error(.invalidArgument)))
    try writeAll(faults)
    #expect(isRight)
  }

  @Test(arguments: [Errno.noSpace, .ioError]) func aDiskThatFailsIsNotTriedTwice(error: Errno) throws {
    let faults = CallFaults(.init(failing: 1, of: .pwritev, with: .error(error)))
    #expect(throws: StoreError.self) { try writeAll(faults) }
    #expect(faults.count(of: .pwritev) == 2)
    #expect(try !directory.names().contains("file"))
  }

  @Test func aWriteThatIsCutShortGoesOn() throws {
    for number in 0..<4 {
      let faults = CallFaults(.init(failing: number, of: .pwritev, with: .short))
      try writeAll(faults)
      #expect(isRight)
    }
  }

  @Test func aShortFileGoesThroughTheCache() throws {
    let faults = CallFaults()
    let output = try OutputPath(directory.path("file"), files: FileSystem(faults: faults))
    let partial = try PartialFile.open(for: output)
    partial.writePastCache(length: PartialFile.shortestPastCache - 1)
    #expect(faults.count(of: .setDirect) == 0)
  }

  @Test(.enabled(if: MountedFileSystem.isPossible(.tmpfs), "no file system can be mounted here"))
  func inMemoryNothingIsReservedAndNothingGoesPastTheCache() throws {
    let disk = try MountedFileSystem(.tmpfs, megabytes: 4)
    let faults = CallFaults()
    let output = try OutputPath("\(disk.path)/file", files: FileSystem(faults: faults))
    let partial = try PartialFile.open(for: output)
    try partial.setLength(1 << 20)
    try partial.preallocate([ByteRange(offset: 0, count: 1 << 20)])
    partial.writePastCache(length: PartialFile.shortestPastCache)
    #expect(faults.count(of: .fallocate) == 0)
    #expect(faults.count(of: .setDirect) == 0)
    // What does not fit is refused all the same.
    #expect(throws: StoreError(.diskFull, "", path: "")) {
      try partial.preallocate([ByteRange(offset: 0, count: 8 << 20)])
    }
  }
}
