import ChunkSystem
import ChunkTestSupport
import Testing

/// Opening files below a directory and nowhere else.
@Suite struct BeneathTests {
  private let scratch: TemporaryDirectory
  private let outside: TemporaryDirectory

  init() throws {
    scratch = try TemporaryDirectory()
    outside = try TemporaryDirectory()
    try scratch.write([1], to: "file")
    try FileSystem().makeDirectory(scratch.path("folder"))
    try scratch.write([2], to: "folder/file")
    try outside.write([3], to: "secret")
  }

  private func firstByte(_ path: String) throws -> UInt8 {
    let file = try FileSystem().openDirectory(scratch.path).openBeneath(path)
    var bytes: [UInt8] = [0]
    var span = bytes.mutableSpan
    #expect(try file.pread(into: &span, at: 0) == 1)
    return bytes[0]
  }

  @Test func whatIsBelowIsOpened() throws {
    try scratch.makeLink("link", to: "folder/file")
    try scratch.makeLink("folder/up", to: "../file")
    #expect(try firstByte("file") == 1)
    #expect(try firstByte("folder/file") == 2)
    #expect(try firstByte("folder/../file") == 1)
    #expect(try firstByte("link") == 2)
    #expect(try firstByte("folder/up") == 1)
  }

  @Test func nothingElseIs() throws {
    let name = outside.path.split(separator: "/").last.map(String.init) ?? ""
    try scratch.makeLink("absolute", to: outside.path("secret"))
    try scratch.makeLink("relative", to: "../\(name)/secret")
    try scratch.makeLink("folder/elsewhere", to: outside.path)
    try scratch.makeLink("own", to: scratch.path("file"))
    for path in [
      "../\(name)/secret", "folder/../../\(name)/secret", outside.path("secret"), "absolute", "relative",
      "folder/elsewhere/secret", "own", "..", "/",
    ] {
      #expect(throws: Errno.crossDevice, "\(path)") { try firstByte(path) }
    }
    #expect(throws: Errno.noSuchFile) { try firstByte("absent") }
    #expect(throws: Errno.notDirectory) { try firstByte("file/x") }
    #expect(throws: Errno.invalidArgument) { try firstByte("file\0") }
  }
}
