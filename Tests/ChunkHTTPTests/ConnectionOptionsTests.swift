import ChunkHTTP
import ChunkTestSupport
import FaultServer
import Testing

/// How connections are made, seen from the server.
@Suite struct ConnectionOptionsTests {
  @Test func namesCanBeGivenAnAddress() async throws {
    let server = try FaultServer(content: [1, 2, 3])
    let fetcher = try CurlFetcher()
    var request = try RangeRequest("http://host.invalid:\(server.port)/file.bin")
    request.options.resolve = ["host.invalid:\(server.port):127.0.0.1"]
    #expect(await fetcher.fetch(request).body == [1, 2, 3])
    #expect(server.recording.requests.first?.header("Host") == "host.invalid:\(server.port)")
    fetcher.shutdown()
  }

  @Test func netrcIsAskedLast() async throws {
    let server = try FaultServer(content: [1])
    let scratch = try TemporaryDirectory()
    try scratch.write(Array("machine 127.0.0.1 login user password password\n".utf8), to: "netrc")
    let fetcher = try CurlFetcher()
    var request = try RangeRequest(server.url())
    request.options.netrc = .file(scratch.path("netrc"))
    #expect(await fetcher.fetch(request).outcomes == [.complete])
    request.url = try HTTPURL("http://me:mine@127.0.0.1:\(server.port)/file.bin")
    #expect(await fetcher.fetch(request).outcomes == [.complete])
    #expect(
      server.recording.requests.map { $0.header("Authorization") }
        == ["Basic dXNlcjpwYXNzd29yZA==", "Basic bWU6bWluZQ=="])
    fetcher.shutdown()
  }

  @Test func optionsOfOneRequestAreNotThoseOfTheNext() async throws {
    let server = try FaultServer(content: [1, 2, 3])
    let fetcher = try CurlFetcher()
    var request = try RangeRequest("http://me:mine@127.0.0.1:\(server.port)/file.bin", range: 1...2)
    request.headers = [try HeaderField(name: "X-Test", value: "1")]
    request.method = .head
    #expect(await fetcher.fetch(request).outcomes == [.complete])
    #expect(await fetcher.fetch(try RangeRequest(server.url())).body == [1, 2, 3])
    let second = try #require(server.recording.requests.last)
    #expect(second.method == "GET")
    for name in ["Range", "Authorization", "X-Test"] { #expect(second.header(name) == nil) }
    fetcher.shutdown()
  }

  @Test func aServerThatNeverAnswersTLSRunsOutOfTime() async throws {
    let server = try FaultServer(content: [1], script: FaultScript(connections: ConnectionFaults(limit: 0)))
    let fetcher = try CurlFetcher()
    var request = try RangeRequest("https://127.0.0.1:\(server.port)/file.bin")
    request.options.connectTimeout = .milliseconds(50)
    let failure = await fetcher.fetch(request).outcomes.first?.failure
    #expect(failure?.code == .connectTimeout)
    #expect(failure?.isRetryable == true)
    #expect(failure?.message.contains("--connect-timeout") == true)
    fetcher.shutdown()
  }
}
