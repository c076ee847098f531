import ChunkTestSupport
import FaultServer
import Testing

/// The configuration file: what it may say, and what the command line has over it.
@Suite struct ConfigurationTests {
  /// Runs `chunkget` with this configuration.
  private func run(
    _ configuration: String, _ arguments: [String], in directory: TemporaryDirectory,
    variable: String = "XDG_CONFIG_HOME"
  ) async throws -> ProcessResult {
    let home = try TemporaryDirectory()
    let base = variable == "HOME" ? home.path(".config") : home.path
    for path in [base, base + "/chunkget"] where !TestFile.exists(path) {
      try TestFile.makeDirectory(path)
    }
    try TestFile.write(Array(configuration.utf8), to: base + "/chunkget/config")
    var program = GetRun.program(arguments, in: directory)
    program.environment["XDG_CONFIG_HOME"] = .some(variable == "HOME" ? "relative" : home.path)
    program.environment["HOME"] = .some(variable == "HOME" ? home.path : "/nonexistent")
    return try await program.run()
  }

  @Test(arguments: ["XDG_CONFIG_HOME", "HOME"])
  func `its lines are as if they came first on the command line`(variable: String) async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1])])
    let directory = try TemporaryDirectory()
    let configuration = """
      # comment
      no-manifest
        header X-One: a = "b" # c\r
      header=X-Two: =
      --header = X-Three: 3
      \tuser-agent\tfrom the file
      progress json

      """
    let run = try await run(
      configuration, ["-H", "X-Four: 4", "-A", "from the line", server.url("/a")], in: directory, variable: variable)
    #expect(run.status == 0, "\(run)")
    let request = try #require(server.recording.requests(to: "/a").first)
    #expect(request.header("X-One") == "a = \"b\" # c")
    #expect(request.header("X-Two") == "=")
    #expect(request.header("X-Three") == "3" && request.header("X-Four") == "4", "what adds up adds up")
    #expect(request.header("User-Agent") == "from the line", "what is said again counts")
    #expect(try GetEvent(try #require(run.errorLines.first)).event == "start")
    #expect(server.recording.requests(to: "/a.chunks").isEmpty)
  }

  @Test func `it is left out when that is wanted, and need not be there`() async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1])])
    let directory = try TemporaryDirectory()
    #expect(try await run("nonsense", ["--no-config", "-q", server.url("/a")], in: directory).status == 0)
    #expect(try await GetRun.program(["-q", server.url("/a")], in: directory).run().status == 0)
  }

  @Test(arguments: [
    ("nonsense", 1, "no option is called nonsense"), ("\nconections 4", 2, "did you mean connections?"),
    ("connections", 1, "needs a value: N"), ("connections 99", 1, "connections 99: not a whole number from 1 to 32"),
    ("quiet yes", 1, "quiet takes no value"), ("quiet=", 1, "quiet takes no value"), ("help", 1, "command line only"),
    ("completions bash", 1, "command line only"), ("-x 4", 1, "no option is called -x"),
  ])
  func `an error names file and line, and nothing is begun`(line: String, number: Int, reason: String) async throws {
    let directory = try TemporaryDirectory()
    let run = try await run(line, ["http://127.0.0.1:1/a"], in: directory)
    #expect(run.status == 2)
    #expect(run.errorText.contains("/chunkget/config, line \(number): "), "\(run)")
    #expect(run.errorText.contains(reason), "\(run)")
  }

  @Test(arguments: [
    "output", "input-file", "metalink", "seed", "id", "manifest", "min-version", "sha256", "checksums", "lock",
    "locked",
    "mirror", "report", "no-config",
  ])
  func `what belongs to one file or one run is refused`(flag: String) async throws {
    let directory = try TemporaryDirectory()
    let run = try await run("\(flag) x", ["http://127.0.0.1:1/a"], in: directory)
    #expect(run.status == 2 && run.errorText.contains("on the command line only"), "\(run)")
  }

  @Test func `one that cannot be read is an error`() async throws {
    let directory = try TemporaryDirectory()
    try TestFile.makeDirectory(directory.path("chunkget"))
    try TestFile.makeDirectory(directory.path("chunkget/config"))
    var program = GetRun.program(["http://127.0.0.1:1/a"], in: directory)
    program.environment["XDG_CONFIG_HOME"] = .some(directory.path)
    let run = try await program.run()
    #expect(run.status == 2 && run.errorText.contains("chunkget/config: cannot be read"), "\(run)")
  }
}
