import ChunkTestSupport
import FaultServer
import Testing

/// What `-i` reads, and what it refuses before anything is begun.
@Suite struct BatchListTests {
  private func run(
    _ list: String, _ flags: [String] = [], in directory: TemporaryDirectory
  ) async throws -> GetRun {
    let path = try directory.write(Array(list.utf8), to: "list")
    return try await GetRun(flags + ["-i", path], in: directory)
  }

  @Test func `what stands below a URL is said of its file`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    server.setResource(.bytes(Array("abc".utf8)), at: "/abc")
    let directory = try TemporaryDirectory()
    let other = try TemporaryDirectory()
    let list = """
      # a comment\r
      \(server.url())\t\(server.url("/mirror"))
        out=first.bin
      \tid = \(publication.id)

      \(server.url("/abc"))
        # another one
        out=second
        dir=\(other.path)
        checksum=sha-256=ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

      \(server.url("/abc"))
      """
    let run = try await run(list, ["--no-manifest", "--require-verified"], in: directory)
    // --no-manifest contradicts an ID, and a digest is not enough for --require-verified.
    #expect(run.status == 2 || run.status == 3, "\(run)")

    let again = try await self.run(list, in: directory)
    #expect(again.status == 0, "\(again)")
    #expect(try publication.isComplete(directory.path("first.bin")))
    #expect(try TestFile.read(other.path("second")) == Array("abc".utf8))
    #expect(try TestFile.read(directory.path("abc")) == Array("abc".utf8))
    let trusts = again.events.filter { $0.event == "done" }.sorted { $0.file ?? 0 < $1.file ?? 0 }.map(\.trust)
    #expect(trusts == ["pinned", "digest", "none"])
  }

  @Test func `a digest that does not match fails its file alone`() async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1]), "/b": .bytes([2])])
    let directory = try TemporaryDirectory()
    let zeros = String(repeating: "0", count: 64)
    let run = try await run(
      "\(server.url("/a"))\n checksum=sha-256=\(zeros)\n\(server.url("/b"))\n", ["--continue-on-error"], in: directory)
    #expect(run.status == 3)
    #expect(run.events.last?.right == 1 && run.events.last?.failed == 1)
    #expect(try directory.names() == ["b", "list"])
  }

  @Test func `a list may come from standard input`() async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1]), "/b": .bytes([2])])
    let directory = try TemporaryDirectory()
    var program = GetRun.program(["--progress", "json", "-i", "-"], in: directory)
    program.input = .bytes(Array("\(server.url("/a"))\n\(server.url("/b"))".utf8))
    let run = try await GetRun(ended: program.start())
    #expect(run.status == 0, "\(run)")
    #expect(try directory.names() == ["a", "b"])
  }

  @Test(arguments: [
    ("  out=x\nURL/a", 1, "belongs to no URL"), ("URL/a\n\n  out", 3, "not NAME=VALUE"),
    ("URL/a\n out=\n", 2, "out is empty"),
    ("URL/a\n out=b\n out=c", 3, "a second out"), ("# x\nURL/a\n cheksum=1", 3, "did you mean checksum?"),
    ("URL/a\n checksum=md5=1", 2, "sha-256=HEX is"), ("URL/a\n checksum=sha-256=12", 2, "not a SHA-256"),
    ("URL/a\n id=12", 2, "not a file ID"), ("URL/a\nout=x", 2, "not a URL"), ("URL/a b", 1, "not a URL"),
  ])
  func `a bad line is named, and nothing is begun`(list: String, line: Int, reason: String) async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1])])
    let directory = try TemporaryDirectory()
    let run = try await Subprocess.get(
      "\(list)\nURL/a".replacing("URL", with: server.origin), in: directory)
    #expect(run.status == 2)
    #expect(run.errorText.contains("list, line \(line): "), "\(run)")
    #expect(run.errorText.contains(reason), "\(run)")
    #expect(server.recording.requests.isEmpty)
    #expect(try directory.names() == ["list"])
  }

  @Test(arguments: [
    (["URL/a", "URL/x/a"], []), (["URL/a", "URL/b\n out=./a"], []),
    (["URL/a", "URL/b\n out=d/../a"], ["URL/b\n out=a.part"]),
    (["URL/a", "URL/b\n out=a.chunks"], ["--save-manifest"]), (["URL/"], []), (["URL/a\n out=-"], ["URL/b"]),
  ])
  func `names that are in each other's way are refused before anything is begun`(
    urls: [String], more: [String]
  ) async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1])])
    let directory = try TemporaryDirectory()
    let lines = (urls + more.filter { !$0.hasPrefix("-") } + ["URL/c"]).joined(separator: "\n")
    let run = try await Subprocess.get(
      lines.replacing("URL", with: server.origin), more.filter { $0.hasPrefix("-") }, in: directory)
    #expect(run.status == 2, "\(run)")
    #expect(server.recording.requests.isEmpty)
  }

  @Test(arguments: [
    ["-o", "x"], ["--id", "chunks1-" + String(repeating: "0", count: 64)],
    ["--sha256", String(repeating: "0", count: 64)],
    ["--manifest", "x"], ["--mirror", "http://127.0.0.1:1/"], ["--metalink", "x"], ["--locked", "x"],
  ])
  func `what belongs to one file does not go with a list`(flags: [String]) async throws {
    let directory = try TemporaryDirectory()
    let run = try await Subprocess.get("http://127.0.0.1:1/a", flags, in: directory)
    #expect(run.status == 2)
    #expect(run.errorText.contains("-i"), "\(run)")
  }

  @Test func `a list that is not there, or has nothing in it, is an error`() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await GetRun.program(["-i", "absent"], in: directory).run().errorText.contains("no such file"))
    #expect(try await Subprocess.get("# nothing\n\n", in: directory).status == 2)
  }
}

extension Subprocess {
  /// Runs `chunkget -i` on this list.
  static func get(
    _ list: String, _ flags: [String] = [], in directory: TemporaryDirectory
  ) async throws -> ProcessResult {
    try directory.write(Array(list.utf8), to: "list")
    return try await GetRun.program(flags + ["-i", "list"], in: directory).run()
  }
}
