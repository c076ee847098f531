import ChunkTestSupport
import FaultServer
import Testing

/// Keys and signatures as a publisher makes them, and minisign, which they have to get along with.
@Suite struct SigningTests {
  static let hasMinisign = Machine.path(of: "minisign") != nil

  /// A directory with a manifest and a key without a password.
  private func published() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write(Content.pattern(length: 300_000, seed: 3).all, to: "file.bin")
    #expect(try await chunkmanifest("keygen", "--no-password", "release", in: directory).end == .exited(0))
    #expect(try await chunkmanifest("build", "file.bin", in: directory).end == .exited(0))
    return directory
  }

  private func minisign(_ words: String..., in directory: TemporaryDirectory, input: String = "") async throws
    -> ProcessResult
  {
    var program = Subprocess("minisign", words)
    program.directory = directory.path
    program.input = .bytes(Array(input.utf8))
    return try await program.run()
  }

  private func text(_ name: String, in directory: TemporaryDirectory) throws -> String {
    String(decoding: try #require(directory.read(name)), as: UTF8.self)
  }

  @Test func aKeyIsPrivateAndNeverOverwritten() async throws {
    let directory = try TemporaryDirectory()
    let made = try await chunkmanifest("keygen", "--no-password", "k", in: directory)
    #expect(made.end == .exited(0), "\(made)")
    #expect(try text("k.pub", in: directory).hasSuffix("\n\(made.outputText)"))
    #expect(try await Subprocess("stat", ["-c", "%a", directory.path("k.key")]).run().outputText == "600\n")
    let before = directory.read("k.key")
    for name in ["k.key", "k.pub"] {
      let again = try await chunkmanifest("keygen", "--no-password", "k", in: directory)
      #expect(again.end == .exited(1))
      #expect(again.errorText.contains("k.\(name == "k.key" ? "key" : "pub"): is there already"))
      if name == "k.key" { try directory.remove(name) }
    }
    try directory.write(before ?? [], to: "k.key")
    #expect(try directory.names() == ["k.key", "k.pub"])
  }

  @Test func signingTwiceGivesTheSameBytes() async throws {
    let directory = try await published()
    #expect(try await chunkmanifest("sign", "-s", "release.key", "file.bin.chunks", in: directory).end == .exited(0))
    let first = try text("file.bin.chunks.minisig", in: directory)
    #expect(first.contains("trusted comment: file:file.bin.chunks\tid:chunks1-"))
    let built = try await chunkmanifest("build", "--sign", "release.key", "file.bin", in: directory)
    #expect(built.end == .exited(0), "\(built)")
    #expect(try text("file.bin.chunks.minisig", in: directory) == first)
    let numbered = try await chunkmanifest(
      "build", "--sign", "release.key", "--sign-version", "12", "file.bin", in: directory)
    #expect(numbered.end == .exited(0), "\(numbered)")
    #expect(try text("file.bin.chunks.minisig", in: directory).contains("\tversion:12\thashed\n"))
  }

  @Test func whatCannotBeSignedIsSaid() async throws {
    let directory = try await published()
    try directory.write(Array("no manifest".utf8), to: "other")
    try directory.write([], to: "empty")
    for (words, status, message) in [
      (["sign", "file.bin.chunks"], 2, "needs a secret key"), (["sign", "-s", "release.key"], 2, "needs a manifest"),
      (["sign", "-s", "release.pub", "file.bin.chunks"], 3, "no secret key of minisign's format"),
      (["sign", "-s", "absent", "file.bin.chunks"], 1, "No such file"),
      (["sign", "-s", "file.bin", "file.bin.chunks"], 1, "file.bin: is too long"),
      (["sign", "-s", "release.key", "other"], 3, "other: "),
      (["sign", "-s", "release.key", "--version", "-1", "file.bin.chunks"], 2, "not a whole number"),
      (["build", "--sign-version", "1", "file.bin"], 2, "means nothing without --sign"),
      (["build", "--sign", "release.key", "-o", "-", "file.bin"], 2, "has to be a file"),
      (["keygen", "--password-file", "empty", "new"], 1, "a password has 1 to 1024 bytes"),
      (["keygen", "--no-password", "absent/new"], 1, "No such file"), (["keygen"], 2, "needs one name"),
    ] {
      var program = Subprocess("chunkmanifest", words)
      program.directory = directory.path
      let result = try await program.run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
    }
    #expect(try directory.names() == ["empty", "file.bin", "file.bin.chunks", "other", "release.key", "release.pub"])
  }

  @Test(.enabled(if: hasMinisign, "minisign is not installed"))
  func minisignAcceptsWhatIsSignedHere() async throws {
    let directory = try await published()
    #expect(
      try await chunkmanifest("sign", "-s", "release.key", "--version", "3", "file.bin.chunks", in: directory).end
        == .exited(0))
    let verified = try await minisign("-V", "-H", "-p", "release.pub", "-m", "file.bin.chunks", in: directory)
    #expect(verified.end == .exited(0), "\(verified)")
    #expect(verified.outputText.contains("version:3"))
    try TestFile.flip(directory.path("file.bin.chunks"), at: 100)
    #expect(try await minisign("-V", "-p", "release.pub", "-m", "file.bin.chunks", in: directory).end != .exited(0))
  }

  @Test(.enabled(if: hasMinisign, "minisign is not installed"), arguments: [false, true])
  func whatMinisignSignsIsAcceptedHere(legacy: Bool) async throws {
    let directory = try await published()
    let signed = try await minisign(
      legacy ? "-Sl" : "-S", "-s", "release.key", "-m", directory.path("file.bin.chunks"), in: directory)
    #expect(signed.end == .exited(0), "\(signed)")
    let server = try Self.server(directory)
    let run = try await GetRun(["--public-key", directory.path("release.pub"), "-o", "-", server.url("/file.bin")])
    #expect(run.status == 0, "\(run)")
    #expect(run.done?.trust == "signed")
    #expect(run.result.output.isSame(as: directory.read("file.bin") ?? []))
    #expect(run.events.contains { $0.message?.contains("not the ID of the file") == true })
  }

  @Test(.enabled(if: hasMinisign, "minisign is not installed"))
  func keysOfMinisignSignHere() async throws {
    let directory = try await published()
    #expect(try await minisign("-G", "-W", "-p", "m.pub", "-s", "m.key", in: directory).end == .exited(0))
    let signed = try await chunkmanifest("sign", "-s", "m.key", "file.bin.chunks", in: directory)
    #expect(signed.end == .exited(0), "\(signed)")
    #expect(try await minisign("-V", "-p", "m.pub", "-m", "file.bin.chunks", in: directory).end == .exited(0))
  }

  /// One password, one gibibyte of memory for each use of it: everything about passwords in one test.
  @Test(.enabled(if: hasMinisign, "minisign is not installed"))
  func passwordsAreThoseOfMinisign() async throws {
    let directory = try await published()
    try directory.write(Array("pass wörd\r\nsecond line\n".utf8), to: "password")
    try directory.write(Array("another\n".utf8), to: "wrong")
    let made = try await chunkmanifest("keygen", "--password-file", "password", "sealed", in: directory)
    #expect(made.end == .exited(0), "\(made)")
    let signed = try await minisign(
      "-S", "-s", "sealed.key", "-m", "file.bin.chunks", in: directory, input: "pass wörd\n")
    #expect(signed.end == .exited(0), "\(signed)")
    #expect(try await minisign("-V", "-p", "sealed.pub", "-m", "file.bin.chunks", in: directory).end == .exited(0))
    let here = try await chunkmanifest(
      "sign", "-s", "sealed.key", "--password-file", "password", "file.bin.chunks", in: directory)
    #expect(here.end == .exited(0), "\(here)")
    let wrong = try await chunkmanifest(
      "sign", "-s", "sealed.key", "--password-file", "wrong", "file.bin.chunks", in: directory)
    #expect(wrong.end == .exited(3))
    #expect(wrong.errorText.contains("the password is not that of the secret key"))
  }

  /// Types at a terminal of its own; the last line of output says how the command ended and whether the terminal shows again
  /// what is typed.
  private static let typist = """
    import os, pty, sys, termios
    pid, terminal = pty.fork()
    if pid == 0:
        os.execv(sys.argv[1], sys.argv[1:2] + sys.argv[3:])
    seen = b""
    for line in sys.argv[2].encode().decode("unicode_escape").split("|"):
        while not seen.endswith(b": "):
            seen += os.read(terminal, 1)
        sys.stdout.buffer.write(seen)
        seen = b""
        os.write(terminal, line.encode())
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    shows = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
    try:
        while more := os.read(terminal, 4096):
            seen += more
    except OSError:
        pass
    sys.stdout.buffer.write(seen)
    print(f"\\nended {status} shows {shows}")
    """

  private func type(_ lines: String, _ words: String..., in directory: TemporaryDirectory) async throws -> ProcessResult
  {
    var program = Subprocess(
      "python3", ["-c", Self.typist, PackagePaths.product("chunkmanifest"), lines] + words)
    program.directory = directory.path
    return try await program.run()
  }

  @Test func aPasswordIsTypedTwiceAndNotShown() async throws {
    let directory = try TemporaryDirectory()
    let different = try await type("first\\n|second\\n", "keygen", "k", in: directory)
    #expect(different.outputText.contains("the two passwords are not the same"), "\(different)")
    #expect(different.outputText.hasSuffix("ended 1 shows True\n"))
    #expect(!different.outputText.contains("first"))
    let stopped = try await type("fir\\x03", "keygen", "k", in: directory)
    #expect(stopped.outputText.hasSuffix("ended 130 shows True\n"), "\(stopped.outputText)")
    #expect(try directory.names().isEmpty)
    let made = try await type("word\\n|word\\n", "keygen", "k", in: directory)
    #expect(made.outputText.hasSuffix("ended 0 shows True\n"), "\(made.outputText)")
    #expect(try directory.names() == ["k.key", "k.pub"])
  }

  @Test func withoutATerminalTheMessageNamesTheFlag() async throws {
    let directory = try TemporaryDirectory()
    // A session of its own has no terminal.
    let result = try await Subprocess(
      "setsid", ["--wait", PackagePaths.product("chunkmanifest"), "keygen", directory.path("k")]
    ).run()
    #expect(result.end == .exited(1), "\(result)")
    #expect(result.errorText.contains("--password-file"))
  }

  /// Serves the file, its manifest and the signature.
  static func server(_ directory: TemporaryDirectory, _ rules: [FaultRule] = []) throws -> FaultServer {
    var resources: [String: Resource] = [:]
    for name in ["file.bin", "file.bin.chunks", "file.bin.chunks.minisig"] {
      if let bytes = directory.read(name) { resources["/\(name)"] = .bytes(bytes) }
    }
    return try FaultServer(resources: resources, script: FaultScript(rules))
  }

  @Test func theCommandDownloadsWhatIsSignedAndNothingElse() async throws {
    let directory = try await published()
    let signed = try await chunkmanifest(
      "sign", "-q", "-s", "release.key", "--version", "3", "file.bin.chunks", in: directory)
    #expect(signed.end == .exited(0), "\(signed)")
    #expect(signed.output.isEmpty)
    let key = try String(#require(text("release.pub", in: directory).split(separator: "\n").last))
    let server = try Self.server(directory)
    let out = try TemporaryDirectory()
    let good = try await GetRun(["--public-key", key, "--min-version", "3", server.url("/file.bin")], in: out)
    #expect(good.done?.trust == "signed", "\(good)")
    let (payload, old) = (server.recording.requests(to: "/file.bin").count, try TemporaryDirectory())
    let rolledBack = try await GetRun(["--public-key", key, "--min-version", "4", server.url("/file.bin")], in: old)
    #expect(rolledBack.status == 3)
    #expect(rolledBack.error?.message?.contains("the signed version is 3") == true, "\(rolledBack)")
    #expect(try old.names().isEmpty)
    #expect(server.recording.requests(to: "/file.bin").count == payload)
  }

  @Test func keysThatAreNoneAreAWrongUse() async throws {
    let directory = try await published()
    for (words, message) in [
      (["--public-key", "RWQ"], "neither a key"),
      (["--public-key", directory.path("file.bin")], "holds no public key"),
      (["--min-version", "1"], "means nothing without --public-key"),
      (["--public-key", directory.path("release.pub"), "--no-manifest"], "needs a manifest"),
    ] {
      let result = try await GetRun.program(words + ["http://127.0.0.1:1/x"]).run()
      #expect(result.end == .exited(2), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
    }
  }
}
