import ChunkHTTP
import ChunkTestSupport
import FaultServer
import Testing

/// TLS and HTTP/2 against nginx, with a certificate authority made for the test.
@Suite(
  .enabled(if: NginxServer.isAvailable, "nginx is not installed"),
  .enabled(if: ThrowawayCA.isAvailable, "openssl is not installed"))
struct TLSTests {
  let directory: TemporaryDirectory
  let authority: ThrowawayCA
  let content: [UInt8]

  init() async throws {
    directory = try TemporaryDirectory()
    authority = try await ThrowawayCA()
    content = Content.pattern(length: 1 << 20).all
    try directory.write(content, to: "file.bin")
  }

  func request(_ server: NginxServer, _ version: ConnectionOptions.Version = .http1, range: ClosedRange<UInt64>? = nil)
    throws -> RangeRequest
  {
    var request = try RangeRequest(server.url("/file.bin"), range: range)
    request.options.caFile = authority.authority
    request.options.version = version
    return request
  }

  /// Eight ranges at once, each with pauses.
  func fetchInParts(_ server: NginxServer, _ version: ConnectionOptions.Version) async throws -> CurlFetcher {
    let fetcher = try CurlFetcher()
    let receivers = (0..<8).map { _ in
      RecordingReceiver { _ in
        .accept
      } onBody: { offer, count in
        offer % 4 == 0 ? .partlyTaken(count / 2) : .taken
      }
    }
    try await withThrowingTaskGroup { group in
      for (index, receiver) in receivers.enumerated() {
        let range = UInt64(index << 17)...UInt64((index + 1) << 17 - 1)
        let id = fetcher.start(try request(server, version, range: range), receiver: receiver)
        let expected = Array(content[Int(range.lowerBound)...Int(range.upperBound)])
        group.addTask {
          var seen = 0
          while true {
            let known = seen
            let state = await receiver.wait { !$0.outcomes.isEmpty || $0.offers > known }
            if !state.outcomes.isEmpty { break }
            seen = state.offers
            fetcher.resume(id)
          }
          let end = await receiver.end()
          #expect(end.outcomes == [.complete])
          #expect(difference(end.body, expected) == nil)
          #expect(end.head?.status == 206)
          #expect(end.head?.version.major == (version == .http1 ? 1 : 2))
        }
      }
      try await group.waitForAll()
    }
    return fetcher
  }

  @Test func rangesOverHTTP1HaveConnectionsOfTheirOwn() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try await fetchInParts(server, .http1)
    #expect(fetcher.connectionsOpened == 8)
    fetcher.shutdown()
  }

  @Test func rangesOverHTTP2ShareAConnection() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try await fetchInParts(server, .http2)
    #expect(fetcher.connectionsOpened == 1)
    fetcher.shutdown()
  }

  @Test func rangesOverHTTP2CanHaveConnectionsOfTheirOwn() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .http2Only(authority))
    let fetcher = try await fetchInParts(server, .http2Alone)
    #expect(fetcher.connectionsOpened == 8)
    fetcher.shutdown()
  }

  @Test func anUnknownAuthorityIsAFailureThatStays() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher()
    var request = try request(server)
    request.options.caFile = nil
    let failure = try #require(await fetcher.fetch(request).outcomes.first?.failure)
    #expect(failure.code == .certificate)
    #expect(!failure.isRetryable)
    #expect(failure.message.contains("--cacert"))
    fetcher.shutdown()
  }

  @Test func aCertificateForAnotherNameIsAFailureThatStays() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher()
    var request = try request(server)
    let port = request.url.port
    request.url = try HTTPURL("https://other.invalid:\(port)/file.bin")
    request.options.resolve = ["other.invalid:\(port):127.0.0.1"]
    let failure = try #require(await fetcher.fetch(request).outcomes.first?.failure)
    #expect(failure.code == .certificate)
    #expect(!failure.isRetryable)
    fetcher.shutdown()
  }

  @Test func anAuthorityThatCannotBeReadIsAFailureThatStays() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher()
    var request = try request(server)
    request.options.caFile = directory.path("missing.pem")
    let failure = try #require(await fetcher.fetch(request).outcomes.first?.failure)
    #expect(failure.code == .certificateFile)
    #expect(!failure.isRetryable)
    #expect(failure.message.contains("--cacert"))
    fetcher.shutdown()
  }

  @Test func clientCertificatesGoToTheirOrigin() async throws {
    let server = try NginxServer(
      .directory(directory.path), scheme: .https(authority),
      extra: "ssl_client_certificate \(authority.authority); ssl_verify_client on;")
    let fetcher = try CurlFetcher()
    var request = try request(server, range: 0...9)
    let without = await fetcher.fetch(request)
    #expect(without.head?.status == 400)
    request.credentials = OriginCredentials(origin: request.url.origin)
    request.credentials?.clientCertificate = OriginCredentials.ClientCertificate(
      certificateFile: authority.certificate, keyFile: authority.key)
    #expect(await fetcher.fetch(request).body == Array(content[..<10]))
    fetcher.shutdown()
  }

  @Test func serversThatTakeHTTP2OnlySaySo() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .http2Only(authority))
    let fetcher = try CurlFetcher()
    let refused = await fetcher.fetch(try request(server, range: 0...9))
    let head = try #require(refused.head)
    guard case .status(let failure) = RangeAnswer.judge(head, for: try request(server)) else {
      Issue.record("\(head.status) is no failure")
      return
    }
    #expect(failure.code == .http2Required)
    #expect(await fetcher.fetch(try request(server, .http2, range: 0...9)).body == Array(content[..<10]))
    fetcher.shutdown()
  }

  @Test func aCancelledStreamLeavesTheOthersAlone() async throws {
    let server = try NginxServer(.directory(directory.path), scheme: .https(authority))
    let fetcher = try CurlFetcher()
    let paused = RecordingReceiver { _ in
      .accept
    } onBody: { _, _ in
      .pause
    }
    let id = fetcher.start(try request(server, .http2), receiver: paused)
    await paused.wait { $0.offers == 1 }
    let refused = await fetcher.fetch(try request(server, .http2), RecordingReceiver { _ in .refuse })
    #expect(refused.outcomes == [.refused])
    let other = RecordingReceiver()
    _ = fetcher.start(try request(server, .http2), receiver: other)
    fetcher.cancel(id)
    #expect(await paused.end().outcomes == [.cancelled])
    let end = await other.end()
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, content) == nil)
    #expect(fetcher.connectionsOpened == 1)
    fetcher.shutdown()
  }
}

/// Proxies, and servers that are not what the scheme says, against nginx.
@Suite(.enabled(if: NginxServer.isAvailable, "nginx is not installed"))
struct OtherPeerTests {
  @Test func proxiesAreAsked() async throws {
    // nginx takes what is asked of a proxy and passes it on.
    let server = try FaultServer(content: [1, 2, 3])
    let proxy = try NginxServer(.proxy(origin: server.origin))
    let fetcher = try CurlFetcher()
    var request = try RangeRequest("http://host.invalid/file.bin", range: 1...2)
    request.options.proxy = .url(proxy.origin)
    request.options.proxyUser = try UserPassword("user:password")
    #expect(await fetcher.fetch(request).body == [2, 3])
    let asked = try #require(server.recording.requests.first)
    #expect(asked.header("Proxy-Authorization") == "Basic dXNlcjpwYXNzd29yZA==")
    #expect(asked.header("Authorization") == nil)
    fetcher.shutdown()
  }

  @Test func aProxyThatRefusesIsAFailureThatStays() async throws {
    let scratch = try TemporaryDirectory()
    let proxy = try NginxServer(.directory(scratch.path))
    let fetcher = try CurlFetcher()
    var request = try RangeRequest("https://host.invalid/file.bin")
    request.options.proxy = .url(proxy.origin)
    let failure = try #require(await fetcher.fetch(request).outcomes.first?.failure)
    #expect(failure.code == .proxy)
    #expect(!failure.isRetryable)
    #expect(failure.status == 400)
    fetcher.shutdown()
  }

  @Test func aServerWithoutTLSIsAFailure() async throws {
    let scratch = try TemporaryDirectory()
    let server = try NginxServer(.directory(scratch.path))
    let fetcher = try CurlFetcher()
    var request = try RangeRequest(server.url("/"))
    request.url = try HTTPURL("https://127.0.0.1:\(request.url.port)/")
    let failure = try #require(await fetcher.fetch(request).outcomes.first?.failure)
    #expect(failure.code == .tls)
    fetcher.shutdown()
  }
}
