import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct CallFaultsTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  func work(_ faults: CallFaults) throws {
    let files = FileSystem(faults: faults)
    let file = try directory.open("file", OpenMode(.readWrite, creation: .ifMissing(0o600)), through: files)
    let bytes: [UInt8] = Array(0..<100)
    try file.descriptor.pwrite(bytes.span, at: 0)
    try file.writePieces([Array(100..<150), Array(150..<200)], at: 100)
    try file.descriptor.syncData()
    try files.openDirectory(directory.path).sync()
  }

  @Test func countsTheCallsOfACleanRun() throws {
    let faults = CallFaults()
    try work(faults)
    #expect(faults.history == [.open, .pwrite, .pwritev, .fdatasync, .open, .fsync])
    #expect(faults.count() == 6)
    #expect(faults.count(of: .open) == 2)
  }

  @Test(arguments: 0..<6) func failsTheOneCallThatWasPlanned(number: Int) throws {
    let faults = CallFaults(.init(failing: number, with: .error(.noSpace)))
    #expect(throws: Errno.noSpace) { try work(faults) }
    #expect(faults.count() == number + 1)
  }

  @Test func startsInterruptedCallsAgain() throws {
    for number in 0..<6 {
      let faults = CallFaults(.init(failing: number, with: .error(.interrupted)))
      try work(faults)
      #expect(faults.count() == 7)
    }
    #expect(directory.read("file") == Array(0..<200))
  }

  @Test func continuesShortTransfers() throws {
    let faults = CallFaults(.init(failing: 0, with: .short, lasting: true))
    try work(faults)
    #expect(directory.read("file") == Array(0..<200))
    #expect(faults.count(of: .pwrite) > 5)
    #expect(faults.count(of: .pwritev) > 5)
  }

  @Test func failsFromOneCallOn() throws {
    let faults = CallFaults(.init(failing: 1, of: .open, with: .error(.ioError), lasting: true))
    #expect(throws: Errno.ioError) { try work(faults) }
    #expect(throws: Errno.ioError) { try work(faults) }
    #expect(faults.history.suffix(2) == [.open, .open])
  }

  @Test func reachesOnlyWhatWasOpenedThroughIt() throws {
    let faults = CallFaults(.init(failing: 0, with: .error(.ioError), lasting: true))
    try work(CallFaults())
    #expect(throws: Errno.ioError) { try FileSystem(faults: faults).openDirectory("/").sync() }
    #expect(try FileSystem().status("/").kind == .directory)
  }
}
