import ChunkTestSupport
import FaultServer
import Testing

/// Each code of the table, how it is reached, and that the message says what to do.
@Suite struct GetExitStatusTests {
  static let manifestPath = "/" + Publication.name + ".chunks"
  static let filePath = "/" + Publication.name

  // MARK: 0, 1

  @Test func `0: the file is there and right`() async throws {
    let (publication, directory) = (try await Self.publication(), try TemporaryDirectory())
    let server = try publication.server()
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.status == 0)
    #expect(try publication.isComplete(directory.path(Publication.name)))
    #expect(try directory.names() == [Publication.name])
  }

  @Test func `1, silently: the reader of standard output has had enough`() async throws {
    let publication = try await Publication(count: 4 << 20)
    let server = try publication.server()
    let script = #""$0" -q -o - "$1" | head -c 1000 | wc -c; echo "${PIPESTATUS[0]}""#
    let get = PackagePaths.product("chunkget")
    let result = try await Subprocess("bash", ["-c", script, get, server.url()]).run()
    #expect(result.outputText == "1000\n1\n", "\(result)")
    #expect(result.errorText == "")
  }

  // MARK: 2

  @Test(
    arguments: [
      ([], "no URL"),
      (["--bogus", "http://127.0.0.1/a"], "--bogus"),
      (["ftp://127.0.0.1/a"], "http"),
      (["http://127.0.0.1/a\u{1}b"], "http"),
      (["-x", "0", "http://127.0.0.1/a"], "-x"),
      (["-x", "http://127.0.0.1:3128", "http://127.0.0.1/a"], "--proxy"),
      (["-C", "1000", "http://127.0.0.1/a"], "hashed"),
      (["--id", "12", "http://127.0.0.1/a"], "file ID"),
      (["--sha256", "12", "http://127.0.0.1/a"], "SHA-256"),
      (["-o", "-", "-d", "x", "http://127.0.0.1/a"], "--dir"),
      (["-o", "-", "--save-manifest", "http://127.0.0.1/a"], "--save-manifest"),
      (["--key", "k.pem", "http://127.0.0.1/a"], "--cert"),
      (["-o", "x", "http://127.0.0.1/a", "http://127.0.0.1/b"], "--output"),
      (["--mirror", "http://127.0.0.1/m", "http://127.0.0.1/a", "http://127.0.0.1/b"], "--mirror"),
      (["--limit-rate", "fast", "http://127.0.0.1/a"], "--limit-rate"),
      (["--progress", "dots", "http://127.0.0.1/a"], "json"),
    ] as [([String], String)])
  func `2: the command line is wrong`(arguments: [String], hint: String) async throws {
    let directory = try TemporaryDirectory()
    let result = try await GetRun.program(arguments, in: directory).run()
    #expect(result.status == 2, "\(result)")
    #expect(result.errorText.contains(hint), "\(result)")
    #expect(try directory.names().isEmpty)
  }

  // MARK: 3

  @Test func `3: another file than the pinned one`() async throws {
    let publication = try await Self.publication()
    let other = "chunks1-" + String(repeating: "0", count: 64)
    try await expect(3, "not-trusted", says: "chunks1-", ["--id", other], try publication.server())
  }

  @Test func `3: no manifest where one is demanded`() async throws {
    let publication = try await Self.publication()
    let server = try publication.server([.on(.path(Self.manifestPath), .status(404))])
    try await expect(3, "not-trusted", says: "--require-verified", ["--require-verified"], server)
  }

  @Test func `3: a manifest without TLS where more is demanded`() async throws {
    let publication = try await Self.publication()
    try await expect(3, "not-trusted", says: "--id", ["--require-verified"], try publication.server())
  }

  @Test func `pinned it is enough`() async throws {
    let (publication, directory) = (try await Self.publication(), try TemporaryDirectory())
    let server = try publication.server()
    let run = try await GetRun(["--require-verified", "--id", publication.id, server.url()], in: directory)
    #expect(run.done?.trust == "pinned", "\(run)")
  }

  @Test func `3: a manifest with a flipped bit`() async throws {
    let publication = try await Self.publication()
    let server = try publication.server([.flip(Self.manifestPath, at: 40)])
    try await expect(3, "not-trusted", says: "manifest", [], server)
  }

  @Test func `3: without a manifest, another digest`() async throws {
    let publication = try await Self.publication()
    let digest = String(repeating: "0", count: 64)
    try await expect(3, "not-trusted", says: digest, ["--no-manifest", "--sha256", digest], try publication.server())
  }

  // MARK: 4

  @Test func `4: nobody listens`() async throws {
    let server = try await Self.publication().server()
    server.stop()
    try await expect(4, "unreachable", says: "connect", ["--retry", "0"], server)
  }

  @Test(arguments: [401, 403, 404, 410])
  func `4: neither manifest nor file`(status: Int) async throws {
    let server = try await Self.publication().server([.always(.status(status))])
    try await expect(4, "unreachable", says: "\(status)", ["--retry", "0"], server)
  }

  @Test func `4: the file is not there, the manifest is`() async throws {
    let server = try await Self.publication().server([.on(.path(Self.filePath), .status(404))])
    try await expect(4, "unreachable", says: "404", ["--retry", "0"], server)
  }

  @Test func `3: a manifest that was asked for is not to be had`() async throws {
    let server = try await Self.publication().server()
    try await expect(3, "not-trusted", says: "404", ["--manifest", server.url("/other.chunks")], server)
    try await expect(3, "not-trusted", says: "absent.chunks", ["--manifest", "absent.chunks"], server)
  }

  @Test func `4: a server in trouble, asked so often and no more`() async throws {
    let server = try await Self.publication().server([.on(.path(Self.manifestPath), .status(503))])
    try await expect(4, "unreachable", says: "--no-manifest", ["--retry", "1"], server)
    #expect(server.recording.requests.count == 2)
  }

  // MARK: 5, 6

  @Test func `5: without a manifest, the file changes while it is fetched`() async throws {
    let publication = try await Publication(count: 6 << 20)
    let path = Self.filePath
    var random = SeededRandom(seed: 5)
    let newer = Resource.bytes(random.bytes(count: publication.content.count))
    let server = try publication.server([.on(.path(path) && .numberForPath(3...), .serve(newer))])
    try await expect(5, "source-changed", says: "", ["--no-manifest", "-x", "2", "--retry", "1"], server)
  }

  @Test func `6: nobody has the right bytes of one chunk`() async throws {
    let publication = try await Self.publication()
    let directory = try TemporaryDirectory()
    let server = try publication.server([.flip(Self.filePath, at: 70_000)])
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.status == 6)
    #expect(run.error?.kind == "wrong-bytes")
    #expect(run.error?.message?.contains("chunk 1") == true, "\(run)")
    #expect(!TestFile.exists(directory.path(Publication.name)))
    // All that was right is kept, and nothing else.
    let partial = try TestFile.read(directory.path(Publication.name + ".part"))
    #expect(publication.rightChunks(in: partial) == Set(0..<publication.chunkCount).subtracting([1]))
    let wrong = publication.range(of: 1)
    #expect(partial[wrong].allSatisfy { $0 == 0 })
  }

  // MARK: 7

  @Test func `7: a device without room`() async throws {
    let server = try await Self.publication().server()
    try await expect(7, "disk", says: "ENOSPC", ["-o", "/dev/full"], server)
  }

  @Test func `2: there is no such directory`() async throws {
    let server = try await Self.publication().server()
    try await expect(2, "usage", says: "nowhere", ["-d", "nowhere"], server)
  }

  // MARK: 130, 143

  @Test(arguments: [(CInt(2), 130, "interrupted"), (CInt(15), 143, "terminated")])
  func `130 and 143: a signal keeps what was verified`(signal: CInt, status: Int, kind: String) async throws {
    let publication = try await Publication(count: 3 << 20)
    let gate = Gate()
    let server = try publication.server([
      .on(.path(Self.filePath), .stall(after: 200_000, .gate(gate)))
    ])
    let directory = try TemporaryDirectory()
    let process = try GetRun.start(["-x", "2", server.url()], in: directory)
    // Both requests are stuck, and what came before was verified.
    var written = 0
    for await line in process.errorLines {
      written = try GetEvent(line).verified ?? 0
      if written >= 4 * publication.chunkSize { break }
    }
    process.kill(signal)
    let run = try await GetRun(ended: process)
    #expect(run.status == status)
    #expect(run.error?.kind == kind)
    #expect(run.error?.message?.contains("run the same command again") == true, "\(run)")
    let kept = publication.rightChunks(in: try TestFile.read(directory.path(Publication.name + ".part")))
    #expect(publication.bytes(in: kept) >= written)
    gate.open()
    let again = try await GetRun([server.url()], in: directory)
    #expect(again.done?.reused == publication.bytes(in: kept), "\(again)")
  }

  // MARK: -

  static func publication() async throws -> Publication { try await Publication(count: 300_000) }

  /// Runs the command with these arguments and the server's URL: it must end with that status, say so in its last event,
  /// and leave nothing under the name.
  private func expect(
    _ status: Int, _ kind: String, says text: String, _ arguments: [String], _ server: FaultServer,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let directory = try TemporaryDirectory()
    let run = try await GetRun(arguments + [server.url()], in: directory)
    #expect(run.status == status, "\(run)", sourceLocation: sourceLocation)
    #expect(run.error?.status == status, "\(run)", sourceLocation: sourceLocation)
    #expect(run.error?.kind == kind, "\(run)", sourceLocation: sourceLocation)
    #expect(run.error?.message?.contains(text) == true, "\(run)", sourceLocation: sourceLocation)
    #expect(!TestFile.exists(directory.path(Publication.name)), sourceLocation: sourceLocation)
  }
}
