import ChunkTestSupport
import Foundation
import Glibc
import Testing

/// The real command with real clients.
@Suite struct ServeCommandTests {
  private static let content: [UInt8] = {
    var random = SeededRandom(seed: 2)
    return random.bytes(count: 30_000)
  }()

  private func origin(_ fill: (TemporaryDirectory) throws -> Void = { _ in }) async throws -> RunningOrigin {
    try await RunningOrigin { directory in
      try directory.write(Self.content, to: "file.bin")
      try fill(directory)
    }
  }

  @Test func wholeFiles() async throws {
    let origin = try await origin {
      try $0.write([], to: "empty")
      try $0.write(Array("x".utf8), to: "with space & ünicode.chunks")
    }
    let whole = try await origin.curl("file.bin")
    #expect(whole.status == 200)
    #expect(whole.body == Self.content)
    #expect(whole["Content-Length"] == "30000")
    #expect(whole["Accept-Ranges"] == "bytes")
    #expect(whole["Content-Type"] == "application/octet-stream")
    #expect(whole["ETag"]?.hasPrefix("\"") == true)
    #expect(whole["Last-Modified"]?.hasSuffix(" GMT") == true)

    let empty = try await origin.curl("empty")
    #expect(empty.status == 200)
    #expect(empty.body.isEmpty)
    #expect(empty["Content-Length"] == "0")

    let named = try await origin.curl("with%20space%20%26%20%C3%BCnicode.chunks?query=ignored")
    #expect(named.body == Array("x".utf8))
    #expect(named["Content-Type"] == "application/vnd.chunkget.manifest")
  }

  @Test func headTellsTheLengthAndSendsNothing() async throws {
    let origin = try await origin()
    let head = try await origin.curl("file.bin", "--head", "--range", "0-9")
    #expect(head.status == 200, "HEAD has no ranges")
    #expect(head["Content-Length"] == "30000")
    #expect(head.body.isEmpty)
  }

  @Test(arguments: [
    ("0-0", 0..<1), ("0-99", 0..<100), ("29999-", 29_999..<30_000), ("100-29999", 100..<30_000),
    ("100-999999999999", 100..<30_000), ("-1", 29_999..<30_000), ("-30001", 0..<30_000),
  ])
  func ranges(range: String, bytes: Range<Int>) async throws {
    let origin = try await origin()
    let answer = try await origin.curl("file.bin", "--range", range)
    #expect(answer.status == 206)
    #expect(answer["Content-Range"] == "bytes \(bytes.lowerBound)-\(bytes.upperBound - 1)/30000")
    #expect(answer["Content-Length"] == "\(bytes.count)")
    #expect(answer.body == Array(Self.content[bytes]))
  }

  @Test func rangesThatAreNotServed() async throws {
    let origin = try await origin()
    let behind = try await origin.curl("file.bin", "--range", "30000-")
    #expect(behind.status == 416)
    #expect(behind["Content-Range"] == "bytes */30000")
    let several = try await origin.curl("file.bin", "--range", "0-1,5-6")
    #expect(several.status == 200)
    #expect(several.body == Self.content)
  }

  @Test func rangesBeyondFourGibibytes() async throws {
    let origin = try await RunningOrigin { directory in
      try directory.write([], to: "sparse")
      try TestFile.overwrite(directory.path("sparse"), at: 5 << 30, with: [1, 2, 3])
    }
    let answer = try await origin.curl("sparse", "--range", "5368709119-")
    #expect(answer["Content-Range"] == "bytes 5368709119-5368709122/5368709123")
    #expect(answer.body == [0, 1, 2, 3])
  }

  @Test func validators() async throws {
    let origin = try await origin()
    let first = try await origin.curl("file.bin", "--head")
    let tag = try #require(first["ETag"])
    let date = try #require(first["Last-Modified"])

    for condition in ["If-Range: \(tag)", "If-Range: \(date)"] {
      #expect(try await origin.curl("file.bin", "--range", "5-9", "--header", condition).status == 206)
    }
    for condition in ["If-None-Match: \(tag)", "If-Modified-Since: \(date)", "If-None-Match: \"a\", W/\(tag)"] {
      let unchanged = try await origin.curl("file.bin", "--header", condition)
      #expect(unchanged.status == 304)
      #expect(unchanged.body.isEmpty)
      #expect(unchanged["ETag"] == tag)
    }
    #expect(try await origin.curl("file.bin", "--header", "If-Match: \"other\"").status == 412)

    // One byte changes in place, length and name stay.
    try TestFile.flip(origin.directory.path("file.bin"), at: 7)
    let changed = try await origin.curl("file.bin", "--range", "5-9", "--header", "If-Range: \(tag)")
    #expect(changed.status == 200)
    #expect(changed.body.count == 30_000)
    #expect(changed["ETag"] != tag)
    #expect(try await origin.curl("file.bin", "--header", "If-None-Match: \(tag)").status == 200)
  }

  @Test func connectionsAreKept() async throws {
    let origin = try await origin { try $0.write(Array("0123456789".utf8), to: "digits") }
    let requests = [
      "HEAD /digits HTTP/1.1\r\nHost: x\r\n\r\n", "GET /digits HTTP/1.1\r\nHost: x\r\nRange: bytes=2-4\r\n\r\n",
      "GET /digits HTTP/1.1\r\nHost: x\r\nIf-None-Match: *\r\n\r\n", "GET /absent HTTP/1.1\r\nHost: x\r\n\r\n",
      "GET /digits HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabcde",
      "GET http://x/digits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ]
    let answers = try await origin.exchange(requests.joined()).components(separatedBy: "HTTP/1.1 ").dropFirst()
    #expect(answers.map { $0.prefix(3) } == ["200", "206", "304", "404", "200", "200"])
    #expect(
      answers.map { $0.components(separatedBy: "\r\n\r\n")[1] } == [
        "", "234", "", "404 Not Found\n", "0123456789", "0123456789",
      ])
  }

  @Test func manyAtOnce() async throws {
    let origin = try await origin()
    let answers = try await withThrowingTaskGroup(of: CurlAnswer.self) { group in
      for _ in 0..<24 { group.addTask { try await origin.curl("file.bin") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers.count == 24)
    #expect(answers.allSatisfy { $0.status == 200 && $0.body == Self.content })
  }

  @Test func nothingOutsideOfTheDirectoryIsServed() async throws {
    let secret = try TemporaryDirectory()
    try secret.write(Array("secret".utf8), to: "file")
    let name = secret.path.split(separator: "/").last.map(String.init) ?? ""
    let origin = try await origin { directory in
      try directory.write(Array("hidden".utf8), to: ".hidden")
      for (link, target) in [
        ("inside", "file.bin"), ("inside.absolute", directory.path("file.bin")), ("outside", secret.path("file")),
        ("outside.relative", "../\(name)/file"), ("outside.directory", secret.path),
        ("around", "../\(name)/../\(name)/file"),
        ("dangling", "nothing"), ("loop", "loop"),
      ] {
        #expect(unsafe symlink(target, directory.path(link)) == 0)
      }
      #expect(unsafe mkfifo(directory.path("fifo"), 0o600) == 0)
      #expect(unsafe mkdir(directory.path("folder"), 0o755) == 0)
    }
    #expect(try await origin.curl("inside").body == Self.content)
    for path in [
      "../\(name)/file", "%2e%2e/\(name)/file", ".%2E/\(name)/file", "folder/../../\(name)/file",
      "folder/%2e%2e/../\(name)/file",
      "//../\(name)/file", "outside", "outside.relative", "outside.directory/file", "around", "inside.absolute",
      ".hidden", "%2ehidden",
      "dangling", "loop", "fifo", "folder", "folder/", "", "file.bin/x", "absent",
    ] {
      let answer = try await origin.curl(path)
      #expect(answer.status == 404, "\(path)")
      #expect(answer.body == Array("404 Not Found\n".utf8), "\(path)")
    }
    for path in ["..%2f\(name)%2ffile", "%", "%zz", "a%00b"] {
      #expect(try await origin.curl(path).status == 400, "\(path)")
    }
    let raw = try await origin.exchange("GET /../../../../../../etc/passwd HTTP/1.0\r\n\r\n")
    #expect(raw.hasPrefix("HTTP/1.1 404 "))
  }

  @Test(.enabled(if: !Machine.isRoot, "root may read everything"))
  func whatMayNotBeReadIsForbidden() async throws {
    let origin = try await origin { #expect(unsafe chmod($0.path("file.bin"), 0) == 0) }
    #expect(try await origin.curl("file.bin").status == 403)
  }

  @Test func methodsThatWouldWriteAreRefused() async throws {
    let origin = try await origin()
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
      let answer = try await origin.curl("file.bin", "--request", method, "--data", "x")
      #expect(answer.status == 405)
      #expect(answer["Allow"] == "GET, HEAD")
    }
    #expect(try TestFile.read(origin.directory.path("file.bin")) == Self.content)
  }

  @Test func requestsThatAreNotHTTPDoNoHarm() async throws {
    let origin = try await origin()
    for text in ["\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n", "GET /file.bin HTTP/1.1\r\n\r\n"] {
      #expect(try await !origin.exchange(text).hasPrefix("HTTP/1.1 200"))
    }
    let long = "GET /file.bin HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "a", count: 100_000))\r\n\r\n"
    // It may close the connection while the header still comes.
    _ = try? await origin.exchange(long)
    #expect(try await origin.curl("file.bin").status == 200)
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func aSignalEndsIt(signal: CInt) async throws {
    let origin = try await origin()
    origin.process.kill(signal)
    let result = await origin.process.result
    #expect(result.end == .exited(0))
    #expect(result.errorText.isEmpty)
  }

  @Test func theAnnouncementIsForScripts() async throws {
    let directory = try TemporaryDirectory()
    let process = try Subprocess("chunkmanifest", ["serve", "--json", "--port=0", directory.path]).start()
    var lines = process.outputLines.makeAsyncIterator()
    let line = try #require(await lines.next())
    #expect(line.hasPrefix(#"{"event":"serving","directory":"\#(directory.path)","url":"http://127.0.0.1:"#))
  }

  @Test func verboseLogsEachRequestFitForATerminal() async throws {
    let origin = try await RunningOrigin("-v") { try $0.write(Array("0123456789".utf8), to: "digits") }
    _ = try await origin.curl("digits", "--range", "2-4")
    _ = try await origin.exchange("GET /\u{1B}]0;x HTTP/1.0\r\n\r\n")
    var lines = origin.process.errorLines.makeAsyncIterator()
    #expect(await lines.next() == "127.0.0.1 GET /digits 206 bytes 2-4/10")
    #expect(await lines.next() == "127.0.0.1 GET /\\u{1B}]0;x 404")
  }

  @Test func whatCannotBeServedIsSaid() async throws {
    let origin = try await origin()
    let directory = origin.directory
    for (words, status, message) in [
      ([], 2, "needs one directory"), (["a", "b"], 2, "needs one directory"),
      (["--port", "65536", "."], 2, "0 to 65535"),
      ([directory.path("absent")], 1, "No such file"), ([directory.path("file.bin")], 1, "Not a directory"),
      (
        ["--port", "\(origin.port)", directory.path], 1,
        "cannot listen on 127.0.0.1:\(origin.port): bind: Address already in use"
      ),
      (["--bind", "no.such.host.invalid", directory.path], 1, "is no address of this machine"),
      (["--bind", "192.0.2.1", directory.path], 1, "Cannot assign requested address"),
    ] {
      let result = try await Subprocess("chunkmanifest", ["serve"] + words).run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
      #expect(result.output.isEmpty)
    }
  }

  @Test(.enabled(if: Machine.has("aria2c"), "aria2c is not installed"))
  func aria2FetchesInParallel() async throws {
    var random = SeededRandom(seed: 3)
    // Eight different mebibytes.
    let part = random.bytes(count: 1 << 20)
    let content = (0..<8).flatMap { [UInt8($0)] + part.dropFirst() }
    let origin = try await RunningOrigin { try $0.write(content, to: "big") }
    let target = try TemporaryDirectory()
    let result = try await Subprocess(
      "aria2c", ["--quiet", "-x8", "-s8", "-k1M", "--dir", target.path, "\(origin.url)big"]
    ).run()
    #expect(result.end == .exited(0))
    #expect(try TestFile.read(target.path("big")) == content)
  }
}
