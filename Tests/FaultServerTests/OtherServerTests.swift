import ChunkTestSupport
import FaultServer
import Testing

/// The servers nobody here wrote come up, and curl agrees with all of them.
@Suite(.enabled(if: Machine.has("curl"), "curl is not installed")) struct OtherServerTests {
  let content = SeededBytes.make(count: 300_000)

  @Test(.enabled(if: NginxServer.isAvailable, "nginx is not installed"))
  func `nginx over HTTP`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(content, to: "file")
    let server = try NginxServer(.directory(directory.path))
    let result = try await curl(["-r", "1000-1999", server.url("/file")])
    #expect(result.hasOutput(content[1000..<2000]), "\(server.errorLog)")
    #expect(await server.log.first { _ in true } == "GET /file 206 1000 \"bytes=1000-1999\" HTTP/1.1")
  }

  @Test(
    .enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"),
    arguments: ["1.1", "2"])
  func `nginx over TLS`(version: String) async throws {
    let directory = try TemporaryDirectory()
    try directory.write(content, to: "file")
    let authority = try await ThrowawayCA()
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let result = try await curl([
      "--http\(version)", "--cacert", authority.authority, "-w", "%{http_version}", server.url("/file"),
    ])
    #expect(result.hasOutput(content + Array(version.utf8)), "\(result) \(server.errorLog)")
    #expect(try await curl([server.url("/file")]).status == 60, "nobody else trusts it")
  }

  @Test(.enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"))
  func `nginx with HTTP/2 only, in front of a fault server`() async throws {
    let authority = try await ThrowawayCA()
    let faulty = try FaultServer(content: content, script: FaultScript([.flip("/file.bin", at: 7)]))
    let server = try NginxServer(.proxy(origin: faulty.origin), scheme: .http2Only(authority))
    let result = try await curl(["--http2", "--cacert", authority.authority, "-r", "0-9", server.url("/file.bin")])
    var expected = Array(content[..<10])
    expected[7] ^= 1
    #expect(result.hasOutput(expected), "\(result) \(server.errorLog)")
    let refused = try await curl(["--http1.1", "--cacert", authority.authority, "-f", server.url("/file.bin")])
    #expect(refused.status == 22)
  }

  @Test(.enabled(if: PythonHTTPServer.isAvailable, "python3 is not installed"))
  func `python ignores ranges`() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(content, to: "file")
    let server = try await PythonHTTPServer(directory: directory.path)
    let result = try await curl(["-r", "0-9", "-w", "%{http_code}", server.url("/file")])
    #expect(result.hasOutput(content + Array("200".utf8)), "\(result)")
  }

  @Test func `curl resumes from the fault server`() async throws {
    let server = try FaultServer(content: content, script: FaultScript([.on(.number(1), .cut(after: 100_000, .close))]))
    let directory = try TemporaryDirectory()
    let path = directory.path("out")
    #expect(try await curl(["-o", path, server.url()]).status == 18)
    #expect(try TestFile.size(path) == 100_000)
    #expect(try await curl(["-C", "-", "-o", path, server.url()]).status == 0)
    let isWhole = try TestFile.read(path) == content
    #expect(isWhole)
    #expect(server.recording.requests.map(\.range) == [nil, .from(100_000)])
  }

  @Test func `curl reads the chunked coding and HTTP/1.0`() async throws {
    let server = try FaultServer(
      content: content,
      script: FaultScript([
        .on(.number(1), .chunked(withLength: false)), .on(.number(2), .http10, .dropHeader("Content-Length")),
      ]))
    #expect(try await curl([server.url()]).hasOutput(content))
    #expect(try await curl([server.url()]).hasOutput(content))
  }

  private func curl(_ arguments: [String]) async throws -> ProcessResult {
    try await Subprocess("curl", ["-sS", "--noproxy", "*"] + arguments).run()
  }
}

enum SeededBytes {
  static func make(count: Int) -> [UInt8] {
    var random = SeededRandom(seed: 42)
    return random.bytes(count: count)
  }
}
