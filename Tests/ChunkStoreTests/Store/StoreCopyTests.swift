import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Chunks that the kernel takes out of a store: what counts is what arrived.
struct StoreCopyTests {
  private let stored: StoredFile
  private let geometry: ChunkGeometry
  private let chunks: [ExpectedChunk]

  init() throws {
    let stored = try StoredFile(chunkCount: 12)
    self.stored = stored
    geometry = try ChunkGeometry(fileLength: UInt64(stored.content.count), chunkSize: StoredFile.chunkSize)
    chunks = StoredFile.chunks(of: stored.content).enumerated().map { place, id in
      ExpectedChunk(index: ChunkIndex(place), id: id)
    }
  }

  private func partial(_ faults: CallFaults, in directory: String? = nil) throws -> PartialFile {
    let path = "\(directory ?? stored.directory.path)/out"
    let partial = try PartialFile.open(for: OutputPath(path, files: FileSystem(faults: faults)))
    try partial.setLength(geometry.fileLength)
    return partial
  }

  private func isWhole(_ partial: PartialFile) throws -> Bool {
    try TestFile.read(partial.path).elementsEqual(stored.content)
  }

  @Test func `what cannot be shared is copied, and that is asked once`() throws {
    let faults = CallFaults(.init(failing: 0, of: .clone, with: .error(.notSupported), lasting: true))
    let partial = try partial(faults)
    let copy = StoreCopy(from: stored.store, to: partial, geometry: geometry)
    #expect(try copy.take(Array(chunks[..<6])) == Array(ChunkIndex(0)..<ChunkIndex(6)))
    #expect(try copy.take(Array(chunks[6...])) == Array(ChunkIndex(6)..<ChunkIndex(12)))
    #expect(faults.count(of: .clone) == 1)
    #expect(faults.count(of: .copyFileRange) == 12)
    #expect(faults.count(of: .pwrite) == 0)
    #expect(try isWhole(partial))
  }

  @Test func `a copy that is cut short is gone on with`() throws {
    let faults = CallFaults(.init(failing: 3, of: .copyFileRange, with: .short))
    let partial = try partial(faults)
    _ = try StoreCopy(from: stored.store, to: partial, geometry: geometry).take(chunks)
    #expect(try isWhole(partial))
  }

  @Test(arguments: [Errno.crossDevice, .notSupported, .ioError])
  func `where the kernel no longer copies, nothing more is tried`(error: Errno) throws {
    // The source is on a file system that shares nothing, or the clone comes first and there is nothing to copy.
    let faults = CallFaults(.init(failing: 4, of: .copyFileRange, with: .error(error), lasting: true))
    let partial = try partial(faults)
    let copy = StoreCopy(from: stored.store, to: partial, geometry: geometry)
    let taken = try copy.take(chunks)
    guard faults.count(of: .copyFileRange) > 0 else { return }
    #expect(taken == Array(ChunkIndex(0)..<ChunkIndex(4)))
    #expect(try copy.take(chunks).isEmpty)
    #expect(faults.count(of: .copyFileRange) == 5)
  }

  @Test func `what arrived wrong does not count`() throws {
    var wrong = Array(stored.content[..<4096])
    wrong[7] ^= 1
    try stored.files.replace(chunks[0].id, with: wrong)
    try stored.files.replace(chunks[1].id, with: Array(wrong.dropLast()))
    try stored.files.replace(chunks[2].id, with: wrong + [1])
    try TestFile.remove(stored.files.chunk(chunks[3].id))
    let partial = try partial(CallFaults())
    let taken = try StoreCopy(from: stored.store, to: partial, geometry: geometry).take(chunks)
    #expect(taken == Array(ChunkIndex(4)..<ChunkIndex(12)))
  }

  @Test(.enabled(if: MountedFileSystem.isPossible(.xfs), "no xfs can be made and mounted here"))
  func `what can be shared is shared`() throws {
    let disk = try MountedFileSystem(.xfs, megabytes: 320)
    let store = try FileStore.open("\(disk.path)/store", isMade: true)
    for (place, chunk) in chunks.enumerated() {
      let range = geometry.range(of: chunk.index)
      try store.put(StoreSample.chunk(Array(stored.content[Int(range.offset)..<Int(range.end)]), at: place))
    }
    let faults = CallFaults()
    let partial = try partial(faults, in: disk.path)
    let taken = try StoreCopy(from: store, to: partial, geometry: geometry).take(chunks)
    #expect(taken.count == 12)
    #expect(faults.count(of: .clone) == 12)
    #expect(faults.count(of: .copyFileRange) == 0)
    #expect(faults.count(of: .pwrite) == 0)
    #expect(try isWhole(partial))
  }
}
