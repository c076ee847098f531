import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Synchronization
import Testing

@Suite struct PartialFileTests {
  let directory: TemporaryDirectory
  let output: OutputPath

  init() throws {
    directory = try TemporaryDirectory()
    output = try OutputPath(directory.path("file"))
  }

  // MARK: Opening

  @Test func isMadeForItsUserOnly() throws {
    let partial = try PartialFile.open(for: output)
    #expect(try directory.names() == ["file.part"])
    #expect(try partial.file.descriptor.status().permissions == 0o600)
    #expect(partial.lengthFound == 0)
  }

  @Test func takesUpWhatAnotherProgramLeft() throws {
    try directory.write([1, 2, 3], to: "file.part")
    let partial = try PartialFile.open(for: output)
    #expect(partial.lengthFound == 3)
    #expect(try partial.file.descriptor.status().permissions == 0o600)
  }

  @Test func isLockedAsLongAsItIsHeld() throws {
    var first: PartialFile? = try PartialFile.open(for: output)
    #expect(first != nil)
    #expect(throws: locked) { try PartialFile.open(for: output) }
    first = nil
    _ = try PartialFile.open(for: output)
  }

  @Test func aSideFileKeepsTheLock() throws {
    var partial: PartialFile? = try PartialFile.open(for: output)
    var side = try partial?.openSideFile(.manifest)
    #expect(side != nil)
    partial = nil
    #expect(throws: locked) { try PartialFile.open(for: output) }
    side = nil
    _ = try PartialFile.open(for: output)
  }

  @Test func isNotUsedWhenItIsNotOurs() throws {
    try directory.write([1], to: "target")
    try directory.makeLink("file.part", to: "target")
    #expect(throws: notUsable) { try PartialFile.open(for: output) }
    try directory.remove("file.part")

    try directory.makeHardLink("file.part", to: "target")
    #expect(throws: notUsable) { try PartialFile.open(for: output) }
    try directory.remove("file.part")

    try directory.makeFifo("file.part")
    #expect(throws: notUsable) { try PartialFile.open(for: output) }
    try directory.remove("file.part")

    try FileSystem().makeDirectory(directory.path("file.part"))
    #expect(throws: notUsable) { try PartialFile.open(for: output) }
    #expect(try directory.names() == ["file.part", "target"])
    #expect(directory.read("target") == [1])
  }

  @Test(.enabled(if: FileSystem.effectiveUser == 0)) func isNotUsedWhenItBelongsToSomeoneElse() throws {
    try directory.write([1], to: "file.part")
    try directory.give("file.part", toUser: 12345)
    #expect(throws: notUsable) { try PartialFile.open(for: output) }
  }

  @Test func nobodyBeginsWhileAnotherProcessFinishes() throws {
    // The other process has renamed its partial and still holds the lock, which now is that of the final name.
    let other = try directory.open("file", OpenMode(.readWrite, creation: .always(0o600)))
    #expect(try other.descriptor.tryLock(.exclusive))
    try directory.write([7], to: "file.part.chunks")
    #expect(throws: locked) { try PartialFile.open(for: output) }
    #expect(try directory.names() == ["file", "file.part.chunks"])
    try other.descriptor.unlock()
    _ = try PartialFile.open(for: output)
  }

  @Test func opensAgainWhenThePathLeadsElsewhere() async throws {
    // Threads take turns with the file: each that gets it finishes or discards it, so that the others find the path changed.
    let output = output
    let results = await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<4 {
        group.addTask { try? await DedicatedThread.run(name: "turns") { takeTurns(100, with: output) } }
      }
      return await group.reduce(into: [Int?]()) { $0.append($1) }
    }
    #expect(results.compactMap { $0 }.reduce(0, +) > 0)
    #expect(results.count == 4)
    #expect(try !directory.names().contains("file.part.learned"))
  }

  @Test func aFileThatIsTakenAwayBeforeItsLockIsOpenedAnew() throws {
    // Between our opening and our locking, another process finishes the file, or discards it and begins a new one.
    for newcomer in [nil, [UInt8]([4, 5])] {
      try directory.write([1, 2, 3], to: "file.part")
      let done = Atomic(false)
      let faults = CallFaults { [directory] call, _ in
        guard call == .lock, !done.exchange(true, ordering: .relaxed) else { return }
        try? directory.remove("file.part")
        if let newcomer { _ = try? directory.write(newcomer, to: "file.part") }
      }
      let output = try OutputPath(directory.path("file"), files: FileSystem(faults: faults))
      let partial = try PartialFile.open(for: output)
      #expect(faults.count(of: .lock) == 2)
      #expect(partial.lengthFound == newcomer?.count ?? 0)
      try partial.discard()
    }
  }

  // MARK: Length and space

  @Test func cutsWhatIsTooLongAndExtendsWhatIsTooShort() throws {
    try directory.write(Array(0..<100), to: "file.part")
    let partial = try PartialFile.open(for: output)
    try partial.setLength(10)
    #expect(directory.read("file.part") == Array(0..<10))
    try partial.setLength(1 << 20)
    #expect(try partial.file.descriptor.status().size == 1 << 20)
    #expect(try partial.nextData(from: 4096) == nil)
  }

  @Test func reservedRoomStaysAHole() throws {
    let partial = try PartialFile.open(for: output)
    try partial.setLength(1 << 20)
    try partial.preallocate([ByteRange(offset: 0, count: 1 << 20)])
    #expect(try partial.file.descriptor.status().allocated >= 1 << 20)
    #expect(try partial.nextData(from: 0) == nil)
    // What is reserved need not be free once more.
    try partial.preallocate([ByteRange(offset: 0, count: 1 << 20)])
  }

  @Test func saysHowMuchRoomIsMissing() throws {
    let partial = try PartialFile.open(for: output)
    let error = try #require(throws: StoreError.self) {
      try partial.preallocate([ByteRange(offset: 0, count: 1 << 60)])
    }
    #expect(error.code == .diskFull)
    #expect(error.message.contains("\(1 << 60) bytes are needed"))
    #expect(try partial.file.descriptor.status().allocated == 0)
  }

  @Test(arguments: [Errno.noSpace, .diskQuotaExceeded]) func givesBackWhatItCouldNotUse(errno: Errno) throws {
    let faults = CallFaults(.init(failing: 1, of: .fallocate, with: .error(errno)))
    let output = try OutputPath(directory.path("file"), files: FileSystem(faults: faults))
    let block = [UInt8](repeating: 3, count: 65536)
    try directory.write(block, to: "file.part")
    let partial = try PartialFile.open(for: output)
    try partial.setLength(1 << 20)
    #expect(throws: StoreError(.diskFull, "", path: "")) {
      try partial.preallocate([ByteRange(offset: 0, count: 1 << 19), ByteRange(offset: 1 << 19, count: 1 << 19)])
    }
    #expect(try partial.file.descriptor.status().allocated < 1 << 18)
    #expect(directory.read("file.part") == block + [UInt8](repeating: 0, count: (1 << 20) - 65536))
  }

  @Test(arguments: [Errno.notSupported, .systemCallMissing])
  func goesOnWhereNothingCanBeReserved(errno: Errno) throws {
    let faults = CallFaults(.init(failing: 0, of: .fallocate, with: .error(errno), lasting: true))
    let output = try OutputPath(directory.path("file"), files: FileSystem(faults: faults))
    let partial = try PartialFile.open(for: output)
    try partial.preallocate([ByteRange(offset: 0, count: 1 << 20)])
    // Nor can holes be made; zeros are written instead.
    try partial.write(unverified: [UInt8](repeating: 1, count: 700_000).span, at: 0)
    try partial.clear(ByteRange(offset: 10, count: 699_980))
    let edge = [UInt8](repeating: 1, count: 10)
    #expect(directory.read("file.part") == edge + [UInt8](repeating: 0, count: 699_980) + edge)
  }

  @Test func clearedBytesAreZeros() throws {
    let partial = try PartialFile.open(for: output)
    try partial.write(unverified: [UInt8](repeating: 1, count: 100_000).span, at: 0)
    try partial.clear(ByteRange(offset: 5, count: 1 << 30))
    #expect(directory.read("file.part") == [1, 1, 1, 1, 1] + [UInt8](repeating: 0, count: 99_995))
  }

  // MARK: Side files

  @Test func sideFilesKeepWhatIsWritten() throws {
    let partial = try PartialFile.open(for: output)
    let side = try partial.openSideFile(.manifest)
    try side.write([1, 2, 3].span, at: 10)
    #expect(side.length == 13)
    #expect(side.read(ByteRange(offset: 8, count: 4)) == [0, 0, 1, 2])
    #expect(side.read(ByteRange(offset: 8, count: 6)) == nil)
    #expect(side.read(ByteRange(offset: 0, count: 1 << 62)) == nil)
    try side.setLength(2)
    #expect(try partial.openSideFile(.manifest).length == 2)
  }

  @Test func strangersBesideAreNotUsedAndNotRemoved() throws {
    let partial = try PartialFile.open(for: output)
    try directory.write([1], to: "target")
    try directory.makeLink("file.part.chunks", to: "target")
    try directory.makeFifo("file.part.learned")
    #expect(throws: notUsable) { try partial.openSideFile(.manifest) }
    #expect(throws: notUsable) { try partial.openSideFile(.learned) }
    try partial.finish(length: 0)
    #expect(try directory.names() == ["file", "file.part.chunks", "file.part.learned", "target"])
    #expect(directory.read("target") == [1])
  }

  @Test func aDirectoryBesideIsAnErrorOfTheSideFileOnly() throws {
    let partial = try PartialFile.open(for: output)
    try FileSystem().makeDirectory(directory.path("file.part.chunks"))
    #expect(throws: notUsable) { try partial.openSideFile(.manifest) }
    try partial.finish(length: 0)
    #expect(directory.read("file") == [])
  }

  @Test func whatARunLeftBesideAFinishedFileIsRemoved() throws {
    try directory.write([1], to: "file")
    try directory.write([2], to: "file.part.chunks")
    try directory.write([3], to: "file.part.learned")
    PartialFile.removeOrphans(of: output)
    #expect(try directory.names() == ["file"])
    PartialFile.removeOrphans(of: output)
    #expect(try directory.names() == ["file"])
  }

  @Test func whatLiesBesideAPartialIsNotOrphaned() throws {
    try directory.write([2], to: "file.part.chunks")
    try directory.write([], to: "file.part")
    PartialFile.removeOrphans(of: output)
    #expect(try directory.names() == ["file.part", "file.part.chunks"])
  }

  @Test func nothingIsLeftOfWhatWasDiscarded() throws {
    let partial = try PartialFile.open(for: output)
    _ = try partial.openSideFile(.learned)
    try partial.discard()
    #expect(try directory.names().isEmpty)
    #expect(throws: StoreError.self) { try partial.setLength(1) }
    #expect(throws: StoreError.self) { try partial.finish(length: 1) }
    _ = try PartialFile.open(for: output)
  }

  private var locked: StoreError { StoreError(.locked, "", path: "") }
  private var notUsable: StoreError { StoreError(.notUsable, "", path: "") }
}

/// Opens, and finishes or discards, so often; returns how often the file was to be had.
private func takeTurns(_ count: Int, with output: OutputPath) -> Int {
  (0..<count).count { turn in
    guard let partial = try? PartialFile.open(for: output) else { return false }
    // Whoever has the partial is alone with what lies beside it.
    let side = try? partial.openSideFile(.learned)
    guard let side, side.length == 0, (try? side.write([1].span, at: 0)) != nil, side.length == 1 else {
      Issue.record("another thread is at the side file")
      return false
    }
    if turn.isMultiple(of: 2) { try? partial.finish(length: 1) } else { try? partial.discard() }
    return true
  }
}
