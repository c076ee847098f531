import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct OutputPathTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func splitsThePath() throws {
    #expect(try OutputPath(directory.path("a")).directory == directory.path)
    #expect(try OutputPath(directory.path("a")).name == "a")
    #expect(try OutputPath("chunkget-no-such-file").directory == ".")
    #expect(try OutputPath("/chunkget-no-such-file").directory == "/")
  }

  @Test func aFileIsNothingAFileOrALink() throws {
    #expect(try OutputPath(directory.path("none")).kind == .file)
    #expect(try OutputPath(directory.path("none")).existing == nil)
    try directory.write([1, 2], to: "file")
    #expect(try OutputPath(directory.path("file")).existing?.size == 2)
    try directory.makeLink("link", to: "file")
    let link = try OutputPath(directory.path("link"))
    #expect(link.kind == .file)
    #expect(link.existing == nil)
    #expect(try link.openExisting().file == nil)
    try directory.makeLink("broken", to: "nowhere")
    #expect(try OutputPath(directory.path("broken")).kind == .file)
    #expect(try OutputPath(directory.path("none")).openExisting().file == nil)
  }

  @Test func aStreamIsAFifoOrACharacterDevice() throws {
    #expect(try OutputPath("/dev/null").kind == .stream)
    try directory.makeFifo("fifo")
    #expect(try OutputPath(directory.path("fifo")).kind == .stream)
    try directory.makeLink("link", to: "fifo")
    #expect(try OutputPath(directory.path("link")).kind == .stream)
    let bytes: [UInt8] = [1]
    try OutputPath("/dev/null").openStream().descriptor.write(bytes.span)
  }

  @Test(arguments: ["", ".", "..", "sub", "sub/", "link", "a\0b", String(repeating: "x", count: 243)])
  func refusesWhatCannotBeWritten(name: String) throws {
    try FileSystem().makeDirectory(directory.path("sub"))
    try directory.makeLink("link", to: "sub")
    #expect(throws: StoreError(.notUsable, "", path: "")) { try OutputPath(directory.path(name)) }
  }

  @Test func theLongestNameFitsWithWhatLiesBeside() throws {
    let name = String(repeating: "x", count: 242)
    let partial = try PartialFile.open(for: OutputPath(directory.path(name)))
    let side = try partial.openSideFile(.learned)
    #expect(try directory.names() == [name + ".part", name + ".part.learned"])
    withExtendedLifetime(side) {}
  }

  @Test func saysWhichDirectoryIsMissing() throws {
    let error = try #require(throws: StoreError.self) { try OutputPath(directory.path("no/file")) }
    #expect(error.code == .missing)
    #expect(error.path == directory.path("no"))
    try directory.write([], to: "file")
    #expect(throws: StoreError(.notUsable, "", path: "")) { try OutputPath(directory.path("file/file")) }
  }
}
