import ChunkTestSupport
import FaultServer
import Testing

/// `chunkmanifest metalink` and `chunkget --metalink`, with aria2 on the other side.
@Suite struct MetalinkCommandTests {
  static let hasAria = Machine.path(of: "aria2c") != nil

  /// A manifest with the digest of the whole, in a directory of its own.
  private func published(_ content: [UInt8], name: String = "file.bin") async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write(content, to: name)
    let built = try await chunkmanifest("build", "--sha256", "--chunk-size", "64K", name, in: directory)
    #expect(built.end == .exited(0), "\(built)")
    return directory
  }

  private func aria(_ metalink: String, in directory: TemporaryDirectory) async throws -> ProcessResult {
    var program = Subprocess(
      "aria2c",
      [
        "--no-conf", "--metalink-file=\(metalink)", "-d", directory.path, "--max-tries=2", "--retry-wait=0",
        "--allow-overwrite=true", "--summary-interval=0",
      ])
    program.environment = ["no_proxy": "*"]
    return try await program.run()
  }

  @Test(.enabled(if: hasAria, "aria2c is not installed"), arguments: [0, 1, 65_536, 500_001])
  func aria2DownloadsAndChecks(count: Int) async throws {
    let content = Content.pattern(length: UInt64(count), seed: 5).all
    let directory = try await published(content)
    let server = try FaultServer(resources: ["/a/file.bin": .bytes(content)])
    let made = try await chunkmanifest(
      "metalink", "--url", server.url("/a/file.bin?a=1&b=<2>"), "file.bin.chunks", in: directory)
    #expect(made.end == .exited(0), "\(made)")
    let out = try TemporaryDirectory()
    let result = try await aria(directory.path("file.bin.meta4"), in: out)
    #expect(result.end == .exited(0), "\(result.outputText)")
    #expect(out.read("file.bin")?.isSame(as: content) == true)
    #expect(server.recording.requests.first?.query == "a=1&b=%3C2%3E")
  }

  @Test(.enabled(if: hasAria, "aria2c is not installed"))
  func aria2FindsAWrongPiece() async throws {
    let content = Content.pattern(length: 500_000, seed: 5).all
    let directory = try await published(content)
    var wrong = content
    wrong[300_000] ^= 1
    let server = try FaultServer(resources: ["/file.bin": .bytes(wrong)])
    let made = try await chunkmanifest("metalink", "--url", server.url("/file.bin"), "file.bin.chunks", in: directory)
    #expect(made.end == .exited(0), "\(made)")
    let out = try TemporaryDirectory()
    #expect(try await aria(directory.path("file.bin.meta4"), in: out).end != .exited(0))
  }

  @Test func theDigestIsThatOfTheFileOrOfTheManifest() async throws {
    let directory = try await published(Array("content".utf8), name: "a & b.bin")
    let known = try await chunkmanifest(
      "metalink", "-o", "-", "--url", "https://e.example/x", "a & b.bin.chunks", in: directory)
    #expect(known.outputText.contains("<file name=\"a &amp; b.bin\">"), "\(known)")
    #expect(known.outputText.contains("ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73"))
    let built = try await chunkmanifest("build", "--chunk-size", "64K", "a & b.bin", in: directory)
    #expect(built.end == .exited(0))
    let unknown = try await chunkmanifest("metalink", "--url", "https://e.example/x", "a & b.bin.chunks", in: directory)
    #expect(unknown.end == .exited(1))
    #expect(unknown.errorText.contains("give the file with --file FILE"))
    let computed = try await chunkmanifest(
      "metalink", "-o", "-", "--file", "a & b.bin", "--url", "https://e.example/x", "a & b.bin.chunks", in: directory)
    #expect(computed.output == known.output)
    try directory.write(Array("Content".utf8), to: "a & b.bin")
    let other = try await chunkmanifest(
      "metalink", "--file", "a & b.bin", "--url", "https://e.example/x", "a & b.bin.chunks", in: directory)
    #expect(other.end == .exited(3))
    #expect(other.errorText.contains("is not the file that"))
    #expect(try directory.names() == ["a & b.bin", "a & b.bin.chunks"])
  }

  @Test func wrongUses() async throws {
    let directory = try await published([1])
    for (words, status, message) in [
      (["file.bin.chunks"], 2, "needs a place"), (["--url", "https://e.example/x"], 2, "needs one manifest"),
      (["--url", "ftp://e.example/x", "file.bin.chunks"], 2, "not an http or https URL"),
      (["--url", "https://e.example/a b", "file.bin.chunks"], 2, "not an http or https URL"),
      (["--url", "https://e.example/x", "file.bin"], 3, "file.bin"),
    ] {
      var program = Subprocess("chunkmanifest", ["metalink"] + words)
      program.directory = directory.path
      let result = try await program.run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
    }
  }

  @Test func theCommandDownloadsWhatAMetalinkDescribes() async throws {
    let (content, other) = (Content.pattern(length: 400_000, seed: 5).all, Array("another".utf8))
    let directory = try await published(content)
    let server = try FaultServer(resources: ["/one": .bytes(content), "/two": .bytes(other)])
    let made = try await chunkmanifest("metalink", "--url", server.url("/one"), "file.bin.chunks", in: directory)
    #expect(made.end == .exited(0), "\(made)")
    let text = String(decoding: try #require(directory.read("file.bin.meta4")), as: UTF8.self)
    let second = """
      <file name="second"><hash type="sha-256">d9f3fc0fbb03c3c01dd3b0ca37db5f2f94ff4a17cbb7bc7ed17a9ddc1e8b0b6a</hash>
      <url>\(server.url("/two"))</url></file></metalink>
      """
    try directory.write(Array(text.replacing("</metalink>", with: second).utf8), to: "both.meta4")
    server.setResource(.bytes(directory.read("file.bin.meta4") ?? []), at: "/file.meta4")

    let out = try TemporaryDirectory()
    let run = try await GetRun(["--metalink", directory.path("file.bin.meta4"), "-d", out.path])
    #expect(run.done?.trust == "local-manifest", "\(run)")
    #expect(out.read("file.bin")?.isSame(as: content) == true)
    let fromServer = try await GetRun(["--metalink", server.url("/file.meta4"), "-d", out.path])
    #expect(fromServer.done?.trust == "transport", "\(fromServer)")
    #expect(fromServer.done?.reused == content.count)

    let both = try await GetRun(["--metalink", directory.path("both.meta4"), "-d", out.path])
    #expect(both.status == 3, "\(both)")
    #expect(both.events.filter { $0.event == "done" }.count == 1)
    #expect(try out.names() == ["file.bin"])
  }

  @Test func metalinksThatCannotBeUsed() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("<html/>".utf8), to: "page")
    for (words, status, message) in [
      (["--metalink", "page"], 3, "it is no Metalink"), (["--metalink", "absent"], 3, "cannot be read"),
      (["--metalink", "page", "http://127.0.0.1:1/x"], 2, "the URLs are in the Metalink"),
      (["--metalink", "page", "--locked", "x"], 2, "both say what is wanted"),
      (["--metalink", "page", "-o", "-"], 2, "cannot be checked before the bytes are out"),
    ] {
      let result = try await GetRun.program(words, in: directory).run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
    }
  }
}
