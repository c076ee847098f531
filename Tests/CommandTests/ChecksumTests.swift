import ChunkTestSupport
import Testing

/// `SHA256SUMS`, compared with what coreutils writes and given to it to be checked.
@Suite struct ChecksumTests {
  static let hasCoreutils = Machine.path(of: "sha256sum") != nil
  /// All that a name may hold and a line may not, and what looks like a line of its own.
  static let names = [
    "plain", "two  spaces", " leading", "*star", "back\\slash", "\\", "new\nline", "car\rret", "trailing\r", "tab\t",
    "ünïcode 日本", "-dash", "e3b0c442",
  ]

  private func sums(in directory: TemporaryDirectory) throws -> [UInt8] {
    try #require(directory.read("SHA256SUMS"))
  }

  private func sha256sum(_ words: [String], in directory: TemporaryDirectory) async throws -> ProcessResult {
    var program = Subprocess("sha256sum", words)
    program.directory = directory.path
    program.environment = ["LC_ALL": "C.UTF-8"]
    return try await program.run()
  }

  private func build(_ words: [String], in directory: TemporaryDirectory) async throws -> ProcessResult {
    var program = Subprocess("chunkmanifest", ["build", "-q", "--checksums"] + words)
    program.directory = directory.path
    return try await program.run()
  }

  @Test(.enabled(if: hasCoreutils, "sha256sum is not installed"))
  func linesAreThoseOfCoreutils() async throws {
    let directory = try TemporaryDirectory()
    for name in Self.names { try directory.write(Array("of \(name)".utf8), to: name) }
    let built = try await build(["--"] + Self.names, in: directory)
    #expect(built.end == .exited(0), "\(built)")
    let theirs = try await sha256sum(["--"] + Self.names, in: directory)
    #expect(try sums(in: directory) == theirs.output)
    let checked = try await sha256sum(["-c", "--strict", "SHA256SUMS"], in: directory)
    #expect(checked.end == .exited(0), "\(checked)")
    #expect(checked.outputText.split(separator: "\n").count == Self.names.count)
    try directory.write([1], to: "car\rret")
    #expect(try await sha256sum(["-c", "SHA256SUMS"], in: directory).end == .exited(1))
  }

  @Test(.enabled(if: hasCoreutils, "sha256sum is not installed"))
  func whatIsSaidOfOtherFilesIsKept() async throws {
    let directory = try TemporaryDirectory()
    for name in Self.names { try directory.write(Array(name.utf8), to: name) }
    let theirs = try await sha256sum(["-b", "--"] + Self.names, in: directory)
    let comment = Array("# by hand\n".utf8) + [0xFF, 10]
    try directory.write(comment + theirs.output + theirs.output, to: "SHA256SUMS")
    for name in ["new\nline", "plain"] { try directory.write(Array("other".utf8), to: name) }
    try directory.write([], to: "added")
    #expect(try await build(["plain", "added", "new\nline"], in: directory).end == .exited(0))
    let lines = try sums(in: directory).split(separator: 10)
    #expect(try sums(in: directory).starts(with: comment))
    // Everything twice but what was built, which is there once, in its place, and the line that was added.
    #expect(lines.count == 2 + 2 * Self.names.count - 2 + 1)
    #expect(try await sha256sum(["-c", "SHA256SUMS"], in: directory).end == .exited(0))
    let same = try sums(in: directory)
    #expect(try await build(["plain"], in: directory).end == .exited(0))
    #expect(try sums(in: directory) == same)
  }

  @Test func eachDirectoryHasItsOwn() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("sub")
    for name in ["one", "sub/two"] { try directory.write(Array("x".utf8), to: name) }
    let digest = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"
    let result = try await build(["one", "absent", directory.path("sub/two")], in: directory)
    #expect(result.end == .exited(1))
    #expect(try sums(in: directory) == Array("\(digest)  one\n".utf8))
    #expect(directory.read("sub/SHA256SUMS") == Array("\(digest)  two\n".utf8))
    // What is written there is in the manifest as well.
    let shown = try await chunkmanifest("show", "one.chunks", in: directory)
    #expect(shown.outputText.contains(digest))
  }

  @Test func whatIsNoFileIsLeftAlone() async throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "one")
    try directory.makeDirectory("SHA256SUMS")
    let result = try await build(["one"], in: directory)
    #expect(result.end == .exited(1), "\(result)")
    #expect(result.errorText.contains("SHA256SUMS: "))
  }
}
