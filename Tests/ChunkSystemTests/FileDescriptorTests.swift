import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct FileDescriptorTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  func create(_ name: String = "file", _ bytes: [UInt8] = []) throws -> OpenFile {
    let file = try directory.open(name, OpenMode(.readWrite, creation: .always(0o600)))
    try file.descriptor.pwrite(bytes.span, at: 0)
    return file
  }

  func content(of file: OpenFile, from offset: UInt64 = 0, count: Int) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0xEE, count: count)
    var span = bytes.mutableSpan
    let read = try file.descriptor.pread(into: &span, at: offset)
    return Array(bytes[..<read])
  }

  @Test func readsWhatWasWrittenUpToTheEnd() throws {
    let file = try create("file", Array(0..<100))
    #expect(try content(of: file, from: 90, count: 50) == Array(90..<100))
    #expect(try content(of: file, from: 100, count: 1).isEmpty)
    #expect(try content(of: file, from: 5000, count: 1).isEmpty)
    #expect(try content(of: file, count: 0).isEmpty)
    #expect(try file.descriptor.status().size == 100)
  }

  @Test func writesPiecesOneAfterTheOther() throws {
    let file = try create()
    let pieces: [[UInt8]] = [[1, 2, 3], [], [4], Array(5..<200)]
    try file.writePieces(pieces, at: 7)
    #expect(directory.read("file") == Array(repeating: 0, count: 7) + Array(1..<200))
  }

  @Test func refusesOffsetsTheKernelHasNot() throws {
    let file = try create()
    let byte: [UInt8] = [1]
    #expect(throws: Errno.fileTooLarge) { try file.descriptor.pwrite(byte.span, at: UInt64.max) }
    #expect(throws: Errno.fileTooLarge) { try file.descriptor.pwrite(byte.span, at: UInt64(Int64.max)) }
    #expect(throws: Errno.fileTooLarge) { try file.descriptor.truncate(to: 1 << 63) }
    #expect(throws: Errno.fileTooLarge) { _ = try content(of: file, from: .max, count: 1) }
  }

  @Test func findsDataAndHoles() throws {
    let file = try create()
    let block = [UInt8](repeating: 7, count: 65536)
    try file.descriptor.pwrite(block.span, at: 1 << 20)
    try file.descriptor.truncate(to: 4 << 20)
    #expect(try file.descriptor.nextData(from: 0) == 1 << 20)
    #expect(try file.descriptor.nextHole(from: 1 << 20) == (1 << 20) + 65536)
    #expect(try file.descriptor.nextData(from: 2 << 20) == nil)
    #expect(try file.descriptor.nextHole(from: 5 << 20) == nil)
    try file.descriptor.punchHole(offset: 1 << 20, count: 65536)
    #expect(try file.descriptor.nextData(from: 0) == nil)
  }

  @Test func reservesWithoutGrowing() throws {
    let file = try create()
    try file.descriptor.allocate(offset: 0, count: 1 << 20)
    let status = try file.descriptor.status()
    #expect(status.size == 0)
    #expect(status.allocated >= 1 << 20)
    try file.descriptor.truncate(to: 1 << 20)
    #expect(try file.descriptor.nextData(from: 0) == nil)
    #expect(try file.descriptor.freeSpace() > 0)
  }

  @Test func copiesInsideTheKernel() throws {
    let source = try create("source", Array(0..<200))
    let target = try create("target")
    let copied = try target.descriptor.copy(from: source.descriptor, offset: 50, count: 500, to: 10)
    #expect(copied == 150)
    #expect(try content(of: target, from: 10, count: 500) == Array(50..<200))
    #expect(try target.descriptor.copy(from: source.descriptor, offset: 200, count: 1, to: 0) == 0)
  }

  @Test func clonesOrSaysThatItCannot() throws {
    let block = [UInt8](repeating: 9, count: 8192)
    let source = try create("source", block)
    let target = try create("target")
    do throws(Errno) {
      try target.descriptor.clone(from: source.descriptor, offset: 0, count: 8192, to: 0)
      #expect(directory.read("target") == block)
    } catch {
      #expect(error.meansUnsupported)
    }
  }

  @Test func locksKeepOtherOpenFilesOut() throws {
    let first = try create()
    let second = try directory.open("file", .readWrite)
    #expect(try first.descriptor.tryLock(.exclusive))
    #expect(try first.descriptor.tryLock(.exclusive))
    #expect(try !second.descriptor.tryLock(.exclusive))
    #expect(try !second.descriptor.tryLock(.shared))
    try first.descriptor.unlock()
    #expect(try second.descriptor.tryLock(.shared))
    #expect(try first.descriptor.tryLock(.shared))
    #expect(try !first.descriptor.tryLock(.exclusive))
  }

  @Test func aLockEndsWithItsOpenFile() throws {
    let file = try create()
    do {
      let other = try directory.open("file", .readWrite)
      let copy = try other.descriptor.duplicate()
      #expect(try other.descriptor.tryLock(.exclusive))
      #expect(try !file.descriptor.tryLock(.exclusive))
      try copy.close()
      #expect(try !file.descriptor.tryLock(.exclusive))
      withExtendedLifetime(other) {}
    }
    #expect(try file.descriptor.tryLock(.exclusive))
  }

  @Test func syncsAndDropsWhatIsCached() throws {
    let file = try create("file", [1, 2, 3])
    try file.descriptor.syncData()
    try file.descriptor.sync()
    try file.descriptor.dropCache()
    try file.descriptor.expectSequentialReads()
    #expect(try content(of: file, count: 3) == [1, 2, 3])
  }

  @Test func directWritesTakeAlignedBuffers() throws {
    let file = try create()
    let buffer = AlignedBuffer(capacity: 5000)
    #expect(buffer.capacity == 8192)
    unsafe fill(buffer.bytes)
    do throws(Errno) {
      try file.descriptor.setDirect(true)
      try unsafe file.descriptor.pwrite(UnsafeRawBufferPointer(buffer.bytes), at: 4096)
      try file.descriptor.setDirect(false)
      #expect(try content(of: file, from: 4096 + 258, count: 2) == [2, 3])
    } catch {
      #expect(error == .invalidArgument, "only a file system without direct writes may refuse")
    }
  }

  private func fill(_ bytes: UnsafeMutableRawBufferPointer) {
    for index in bytes.indices { unsafe bytes[index] = UInt8(truncatingIfNeeded: index) }
  }

  @Test func closeReportsAndLeavesNothingOpen() throws {
    let faults = CallFaults(.init(failing: 0, of: .close, with: .error(.ioError)))
    let lock = try create()
    #expect(throws: Errno.ioError) {
      let file = try FileSystem(faults: faults).open(directory.path("file"), .readWrite)
      _ = try file.tryLock(.exclusive)
      try file.close()
    }
    // It is closed all the same: its lock is gone.
    #expect(try lock.descriptor.tryLock(.exclusive))
  }

  @Test func knowsKindAndPermissions() throws {
    let file = try create()
    try file.descriptor.setPermissions(0o640)
    let status = try file.descriptor.status()
    #expect(status.kind == .regular)
    #expect(status.permissions == 0o640)
    #expect(status.linkCount == 1)
    #expect(try FileSystem().status(directory.path("file")).identity == status.identity)
    #expect(try FileSystem().status("/dev/null").kind == .characterDevice)
    #expect(try FileSystem().status(directory.path).kind == .directory)
  }
}

extension OpenFile {
  /// Writes arrays as pieces of one call.
  func writePieces(_ pieces: [[UInt8]], at offset: UInt64) throws(Errno) {
    let joined = pieces.flatMap { $0 }
    // The pieces point into `joined`, which outlives the call.
    try unsafe joined.span.withUnsafeBytes { bytes throws(Errno) in
      var start = 0
      var slices: [UnsafeRawBufferPointer] = unsafe []
      for piece in pieces {
        unsafe slices.append(UnsafeRawBufferPointer(rebasing: bytes[start..<start + piece.count]))
        start += piece.count
      }
      try unsafe descriptor.pwritev(slices, at: offset)
    }
  }
}
