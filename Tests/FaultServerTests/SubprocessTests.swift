import ChunkTestSupport
import Glibc
import Testing

/// What the other tests stand on.
@Suite struct SubprocessTests {
  @Test func `collects output, errors and the status`() async throws {
    let result = try await Subprocess("/bin/sh", ["-c", "echo out; echo err >&2; exit 7"]).run()
    #expect(result.end == .exited(7))
    #expect(result.outputText == "out\n")
    #expect(result.errorLines == ["err"])
  }

  @Test func `gives input, environment and directory`() async throws {
    let directory = try TemporaryDirectory()
    var program = Subprocess("/bin/sh", ["-c", "cat; pwd; echo $ONE; echo ${HOME-gone}"])
    program.input = .bytes(Array("in\n".utf8))
    program.environment = ["ONE": "1", "HOME": nil as String?]
    program.directory = directory.path
    let result = try await program.run()
    #expect(result.outputText == "in\n\(directory.path)\n1\ngone\n")
  }

  @Test func `lets no descriptor through`() async throws {
    let result = try await Subprocess("/bin/sh", ["-c", "ls /proc/self/fd"]).run()
    // The fourth one is that of ls, which reads the directory.
    #expect(result.outputText == "0\n1\n2\n3\n")
  }

  @Test func `kills, and says so`() async throws {
    let process = try Subprocess("/bin/sh", ["-c", "echo up >&2; exec cat /dev/zero > /dev/null"]).start()
    #expect(await process.errorLines.first { $0 == "up" } != nil)
    process.kill(9)
    #expect(await process.result.end == .signalled(9))
    process.kill(9)
    #expect(process.hasEnded)
  }

  @Test func `writes and reads in turns`() async throws {
    var program = Subprocess("cat")
    program.input = .written
    program.output = .onDemand
    let process = try program.start()
    try await process.write(Array("one".utf8))
    #expect(try await process.readOutput(atMost: 100) == Array("one".utf8))
    process.closeInput()
    #expect(try await process.readOutput(atMost: 100) == [])
    #expect(await process.result.status == 0)
  }

  @Test func `a server ends with the process that started it, killed or not`() async throws {
    let directory = try TemporaryDirectory()
    let fifo = directory.path("fifo")
    #expect(try await Subprocess("mkfifo", [fifo]).run().status == 0)
    // Who holds the writing end is the server; its death is the end of the fifo.
    let reader = try Subprocess("cat", [fifo]).start()
    await #expect(processExitsWith: .signal(SIGKILL)) { [fifo = fifo as String] in
      let server = try Subprocess("/bin/sh", ["-c", "exec 5>\"$0\"; echo up >&2; exec cat /dev/zero >/dev/null", fifo])
        .endingWithTests().start()
      try #require(await server.errorLines.first { $0 == "up" } != nil)
      kill(getpid(), SIGKILL)
    }
    #expect(await reader.result.status == 0)
  }

  @Test func `a server that fails to start is seen to end`() async throws {
    #expect(try await Subprocess("false").endingWithTests().run().end == .signalled(SIGKILL))
  }

  @Test func `survives a child that does not read`() async throws {
    var program = Subprocess("true")
    program.input = .bytes([UInt8](repeating: 0, count: 1 << 20))
    #expect(try await program.run().status == 0)
  }

  @Test func `writes into a file`() async throws {
    let directory = try TemporaryDirectory()
    var program = Subprocess("echo", ["text"])
    program.output = .file(directory.path("out"))
    #expect(try await program.run().output == [])
    #expect(try TestFile.read(directory.path("out")) == Array("text\n".utf8))
  }

  @Test func `says when there is no such program`() async {
    await #expect(throws: (any Error).self) { try await Subprocess("/nonexistent").run() }
  }

  @Test func `the task's end is the process's`() async throws {
    let process = try Subprocess("cat", ["/dev/zero"]).start()
    let task = Task { await process.result.end }
    task.cancel()
    #expect(await task.value == .signalled(9))
  }

  @Test func `a temporary directory goes with everything in it`() throws {
    let outside = try TemporaryDirectory()
    try outside.write([1], to: "kept")
    var directory: TemporaryDirectory? = try TemporaryDirectory()
    let path = try #require(directory?.path)
    try TestFile.makeDirectory("\(path)/inner")
    try TestFile.write([1, 2, 3], to: "\(path)/inner/file")
    try TestFile.link("\(path)/link", to: outside.path)
    directory = nil
    #expect(!TestFile.exists(path))
    #expect(TestFile.exists(outside.path("kept")))
  }

  @Test func `random numbers come again`() {
    var one = SeededRandom(seed: 5)
    var other = SeededRandom(seed: 5)
    #expect(one.bytes(count: 13) == other.bytes(count: 13))
    // The first outputs of splitmix64 for seed 1234567, as its authors list them.
    var known = SeededRandom(seed: 1_234_567)
    #expect(
      (0..<3).map { _ in known.next() } == [
        6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
      ])
  }
}
