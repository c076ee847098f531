import ChunkSystem
import ChunkTestSupport
import Testing

@Suite struct DirectoryTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func namesStayInTheDirectoryThatWasOpened() throws {
    try FileSystem().makeDirectory(directory.path("a"))
    let opened = try FileSystem().openDirectory(directory.path("a"))
    try FileSystem().rename(directory.path("a"), to: directory.path("b"))
    try opened.open("file", OpenMode(.write, creation: .always(0o600))).close()
    try opened.sync()
    #expect(directory.read("b/file") == [])
    #expect(try opened.status("file")?.kind == .regular)
  }

  @Test func missingNamesAreNoErrors() throws {
    let opened = try FileSystem().openDirectory(directory.path)
    #expect(try opened.status("none") == nil)
    #expect(try !opened.remove("none"))
    try directory.write([1], to: "some")
    #expect(try opened.remove("some"))
    #expect(try directory.names().isEmpty)
  }

  @Test func renamesInThreeManners() throws {
    let opened = try FileSystem().openDirectory(directory.path)
    try directory.write([1], to: "a")
    try directory.write([2], to: "b")
    #expect(throws: Errno.alreadyExists) { try opened.rename("a", to: "b", .keeping) }
    try opened.rename("a", to: "b", .exchanging)
    #expect(directory.read("a") == [2])
    #expect(directory.read("b") == [1])
    try opened.rename("a", to: "b")
    #expect(try directory.names() == ["b"])
    #expect(directory.read("b") == [2])
    try opened.rename("b", to: "c", .keeping)
    #expect(try directory.names() == ["c"])
  }

  @Test func doesNotFollowLinksUnlessTold() throws {
    try directory.write([1], to: "file")
    try directory.makeLink("link", to: "file")
    let opened = try FileSystem().openDirectory(directory.path)
    #expect(throws: Errno.tooManyLinks) { try opened.open("link", OpenMode(.read, followsLinks: false)).close() }
    #expect(try opened.status("link")?.kind == .symbolicLink)
    #expect(try opened.status("link", followsLinks: true)?.kind == .regular)
    #expect(throws: Errno.alreadyExists) { try opened.open("link", OpenMode(.write, creation: .always(0o600))).close() }
  }

  @Test func refusesNamesWithAZeroByte() throws {
    let opened = try FileSystem().openDirectory(directory.path)
    try directory.write([1], to: "file")
    #expect(throws: Errno.invalidArgument) { try opened.remove("file\0.part") }
    #expect(throws: Errno.invalidArgument) { try opened.open("file\0.part", .read).close() }
    #expect(throws: Errno.invalidArgument) { try opened.rename("file", to: "other\0") }
    #expect(try directory.names() == ["file"])
  }

  @Test func knowsTheCreationMask() throws {
    let opened = try FileSystem().openDirectory(directory.path)
    let permissions = try opened.open("file", OpenMode(.write, creation: .always(0o777))).status().permissions
    #expect(permissions.rawValue == 0o777 & ~FileSystem().creationMask().rawValue)
  }
}
