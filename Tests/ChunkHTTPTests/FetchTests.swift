import ChunkHTTP
import ChunkSystem
import FaultServer
import Testing

/// Fetches from a server in this process, good and bad.
@Suite struct FetchTests {
  let content = Content.pattern(length: 1 << 20)

  func server(_ rules: FaultRule..., connections: ConnectionFaults = ConnectionFaults()) throws -> FaultServer {
    try FaultServer(
      resources: [FaultServer.defaultPath: Resource(content)], script: FaultScript(rules, connections: connections))
  }

  @Test func fetchesWholeFilesAndRanges() async throws {
    let server = try server()
    let fetcher = try CurlFetcher()
    let whole = await fetcher.fetch(try RangeRequest(server.url()))
    #expect(whole.outcomes == [.complete])
    #expect(difference(whole.body, content.all) == nil)
    #expect(whole.head?.status == 200)
    #expect(whole.head?.contentLength == 1 << 20)

    let part = await fetcher.fetch(try RangeRequest(server.url(), range: 1000...300_000))
    #expect(part.outcomes == [.complete])
    #expect(difference(part.body, content.bytes(in: 1000..<300_001)) == nil)
    #expect(part.head?.contentRange == .one(.range(first: 1000, last: 300_000, total: 1 << 20)))

    var request = try RangeRequest(server.url())
    request.method = .head
    let head = await fetcher.fetch(request)
    #expect(head.outcomes == [.complete])
    #expect(head.offers == 0)
    #expect(head.head?.contentLength == 1 << 20)
    fetcher.shutdown()
  }

  @Test func sendsWhatIsAskedForAndNothingTwice() async throws {
    let server = try server()
    let fetcher = try CurlFetcher()
    let strong = try #require(Validator(fieldValue: "\"v1\"", isEntityTag: true, isStrong: true))
    let weak = try #require(Validator(fieldValue: "W/\"v1\"", isEntityTag: true, isStrong: false))
    var request = try RangeRequest(server.url("/file.bin?a=b#c"), range: 5...9, ifRange: strong)
    request.headers = [try HeaderField(name: "X-Test", value: "1"), try HeaderField(name: "X-Empty", value: "")]
    request.options.userAgent = "test/1"
    for request in [request, try RangeRequest(server.url(), range: 5...9, ifRange: weak)] {
      #expect(await fetcher.fetch(request).outcomes == [.complete])
    }
    _ = await fetcher.fetch(try RangeRequest(server.url(), ifRange: strong))
    fetcher.shutdown()

    let requests = server.recording.requests.map(\.request)
    func values(_ index: Int, _ name: String) -> [String] {
      requests[index].headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
    }
    #expect(requests.count == 3)
    #expect(requests[0].query == "a=b")
    #expect(values(0, "Range") == ["bytes=5-9"])
    #expect(values(0, "If-Range") == ["\"v1\""])
    #expect(values(0, "Accept-Encoding") == ["identity"])
    #expect(values(0, "User-Agent") == ["test/1"])
    #expect(values(0, "X-Test") == ["1"])
    #expect(values(0, "X-Empty") == [""])
    #expect(values(1, "Range") == ["bytes=5-9"])
    #expect(values(1, "If-Range") == [])
    #expect(values(1, "X-Test") == [])
    #expect(values(2, "Range") == [])
    #expect(values(2, "If-Range") == [])
  }

  @Test func credentialsGoToTheirOriginOnly() async throws {
    let server = try server()
    let other = try FaultServer(
      resources: [FaultServer.defaultPath: Resource(content)], address: "127.0.0.2")
    let fetcher = try CurlFetcher()
    var credentials = OriginCredentials(origin: try HTTPURL(server.url()).origin)
    credentials.user = try UserPassword("user:password")
    credentials.headers = [try HeaderField(line: "Cookie: a=b")]
    for url in [server.url(), other.url()] {
      var request = try RangeRequest(url, range: 0...9)
      request.credentials = credentials
      #expect(await fetcher.fetch(request).outcomes == [.complete])
    }
    // User information of a URL is that URL's own.
    _ = await fetcher.fetch(try RangeRequest("http://me:mine@127.0.0.2:\(other.port)/file.bin", range: 0...9))
    fetcher.shutdown()
    let own = try #require(server.recording.requests.first)
    #expect(own.header("Authorization") == "Basic dXNlcjpwYXNzd29yZA==")
    #expect(own.header("Cookie") == "a=b")
    #expect(other.recording.requests.map { $0.header("Authorization") } == [nil, "Basic bWU6bWluZQ=="])
    #expect(other.recording.requests.allSatisfy { $0.header("Cookie") == nil })
  }

  @Test func connectionsAreUsedAgain() async throws {
    let server = try server()
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    for index in 0..<10 {
      let start = UInt64(index) * 1000
      let part = await fetcher.fetch(try RangeRequest(server.url(), range: start...(start + 999)))
      #expect(difference(part.body, content.bytes(in: start..<(start + 1000))) == nil)
    }
    #expect(server.recording.connections == 1)
    #expect(fetcher.connectionsOpened == 1)
    fetcher.shutdown()
  }

  @Test func manyAtOnce() async throws {
    let server = try server()
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2))
    let receivers = (0..<100).map { _ in RecordingReceiver() }
    for (index, receiver) in receivers.enumerated() {
      let start = UInt64(index) * 10_000
      _ = fetcher.start(try RangeRequest(server.url(), range: start...(start + 9_999)), receiver: receiver)
    }
    for (index, receiver) in receivers.enumerated() {
      let end = await receiver.end()
      let start = UInt64(index) * 10_000
      #expect(end.outcomes == [.complete])
      #expect(difference(end.body, content.bytes(in: start..<(start + 10_000))) == nil)
    }
    fetcher.shutdown()
    #expect(receivers.allSatisfy { $0.current.outcomes.count == 1 })
  }

  @Test(arguments: [false, true])
  func pausesLoseNothing(isChunked: Bool) async throws {
    let server = try isChunked ? server(.always(.chunked(withLength: false))) : server()
    let fetcher = try CurlFetcher()
    // Every third piece is not taken, every third in part; another thread goes on after each.
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, count in
      switch offer % 3 {
      case 0: .pause
      case 1: .partlyTaken(count / 3)
      default: .taken
      }
    }
    let id = fetcher.start(try RangeRequest(server.url()), receiver: receiver)
    var resumes = 0
    while true {
      let resumed = resumes
      let state = await receiver.wait { !$0.outcomes.isEmpty || $0.offers > resumed }
      if !state.outcomes.isEmpty { break }
      resumes = state.offers
      fetcher.resume(id)
    }
    let end = await receiver.end()
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, content.all) == nil)
    #expect(end.offers > 100)
    #expect(server.recording.requests.count == 1)
    fetcher.shutdown()
  }

  @Test func aPauseAtTheVeryEndIsOne() async throws {
    let server = try server()
    let fetcher = try CurlFetcher()
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, _ in
      offer == 1 ? .pause : .taken
    }
    let id = fetcher.start(try RangeRequest(server.url(), range: 0...99), receiver: receiver)
    await receiver.wait { $0.offers == 1 }
    // The server has sent everything and waits for the next request: nothing but the pause holds this up.
    try await server.waitUntil { $0.finished == 1 }
    // Known a moment after the decision was returned.
    while fetcher.activity(of: id)?.isPaused == false { await Task.yield() }
    #expect(receiver.current.outcomes.isEmpty)
    #expect(fetcher.activity(of: id)?.isPaused == true)
    fetcher.resume(id)
    let end = await receiver.end()
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, content.bytes(in: 0..<100)) == nil)
    #expect(fetcher.activity(of: id) == nil)
    #expect(await fetcher.fetch(try RangeRequest(server.url(), range: 0...99)).outcomes == [.complete])
    #expect(server.recording.connections == 1)
    fetcher.shutdown()
  }

  @Test func aResumeFromInsideTheDecisionCounts() async throws {
    let server = try server()
    let fetcher = try CurlFetcher()
    let named = Lock<FetchID?>(nil)
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, _ in
      guard offer % 2 == 1, let id = named.withLock({ $0 }) else { return .taken }
      fetcher.resume(id)
      return .pause
    }
    // A first pause of which the test knows, so that the receiver knows its name from then on.
    let gate = Gate()
    server.setScript(FaultScript([.always(.holdBody(.gate(gate)))]))
    let id = fetcher.start(try RangeRequest(server.url()), receiver: receiver)
    named.withLock { $0 = id }
    gate.open()
    let end = await receiver.end()
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, content.all) == nil)
    fetcher.shutdown()
  }
}
