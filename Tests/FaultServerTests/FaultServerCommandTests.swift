import ChunkTestSupport
import FaultServer
import Testing

/// The command does what its flags say.
@Suite(.enabled(if: Machine.has("curl"), "curl is not installed")) struct FaultServerCommandTests {
  @Test func `serves a directory with faults for one path, and logs each request`() async throws {
    let directory = try TemporaryDirectory()
    let content = SeededBytes.make(count: 5000)
    try directory.write(content, to: "a file")
    try directory.write([1, 2, 3], to: ".hidden")
    try TestFile.makeDirectory(directory.path("inner"))
    try directory.write([4, 5, 6], to: "inner/x")
    let server = try Subprocess(
      "faultserver",
      ["--only", "/a%20file", "--flip", "1K", "--times", "1", "--status", "503", "--every", "2", directory.path]
    ).start()
    var lines = server.outputLines.makeAsyncIterator()
    let start = try #require(await lines.next())
    let url = try #require(start.split(separator: "\"").first { $0.hasPrefix("http://") }).dropLast()

    var wrong = content
    wrong[1024] ^= 1
    #expect(try await curl(url + "/a%20file").hasOutput(wrong))
    #expect(try await curl(url + "/a%20file", "-w", "%{http_code}").outputText == "503")
    #expect(try await curl(url + "/a%20file").hasOutput(content))
    #expect(try await curl(url + "/inner/x", "-r", "1-").hasOutput([5, 6]))
    #expect(try await curl(url + "/.hidden", "-f").status == 22)

    var log: [String] = []
    for _ in 0..<5 { log.append(try #require(await lines.next())) }
    #expect(
      log[3] == #"{"event":"request","number":4,"connection":4,"method":"GET","path":"/inner/x","range":"bytes=1-","#
        + #""status":206,"served":[1,3],"bodyBytesSent":2,"outcome":"complete"}"#)
    server.kill(15)
    #expect(await server.result.status == 0)
  }

  @Test func `generates a file of any size`() async throws {
    let server = try Subprocess("faultserver", ["--generate", "5T", "--cut-after", "10"]).start()
    let start = try #require(await server.outputLines.first { _ in true })
    let url = try #require(start.split(separator: "\"").first { $0.hasPrefix("http://") }).dropLast()
    let result = try await curl(url + "/file.bin", "-r", "4398046511104-4398046511203")
    #expect(result.status == 18)
    #expect(result.hasOutput(Content.pattern(length: 5 << 40).bytes(in: (4 << 40)..<((4 << 40) + 10))))
  }

  @Test(arguments: [[], ["--every", "0", "."], ["--generate", "1K", "."], ["--nonsense", "."]])
  func `refuses what it does not understand`(arguments: [String]) async throws {
    #expect(try await Subprocess("faultserver", arguments).run().status == 2)
  }

  private func curl(_ url: Substring, _ arguments: String...) async throws -> ProcessResult {
    try await Subprocess("curl", ["-sS", "--noproxy", "*", String(url)] + arguments).run()
  }
}
