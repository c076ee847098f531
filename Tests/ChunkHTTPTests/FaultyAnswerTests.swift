import ChunkHTTP
import FaultServer
import Testing

/// What servers do wrong, as the receiver gets to see it.
@Suite struct FaultyAnswerTests {
  let content = Content.pattern(length: 200_000)

  /// The answer to one request for bytes 1000 to 100999 of a server that does this.
  func answer(_ actions: FaultAction...) async throws -> RecordingReceiver.State {
    let script = FaultScript(actions.map { .always($0) })
    let server = try FaultServer(resources: [FaultServer.defaultPath: Resource(content)], script: script)
    let fetcher = try CurlFetcher()
    defer { fetcher.shutdown() }
    return await fetcher.fetch(try RangeRequest(server.url(), range: 1000...100_999))
  }

  func judged(_ answer: RecordingReceiver.State) throws -> RangeAnswer {
    let head = try #require(answer.head)
    return RangeAnswer.judge(head, for: RangeRequest(url: head.url, range: 1000...100_999, knownTotal: 200_000))
  }

  @Test(arguments: [FaultAction.Ending.close, .reset])
  func aConnectionThatBreaksOffIsAFailureThatMayPass(ending: FaultAction.Ending) async throws {
    let end = try await answer(.cut(after: 50_000, ending))
    let failure = try #require(end.outcomes.first?.failure)
    #expect(end.outcomes.count == 1)
    #expect(failure.isRetryable)
    #expect([.shortBody, .reset].contains(failure.code))
    #expect(failure.message.contains("http://127.0.0.1"))
    // What came before is good.
    #expect(difference(end.body, content.bytes(in: 1000..<(1000 + UInt64(end.body.count)))) == nil)
  }

  @Test func aChunkedBodyThatBreaksOffIsAFailureThatMayPass() async throws {
    let end = try await answer(.chunked(withLength: false), .cut(after: 50_000, .close))
    #expect(end.outcomes.first?.failure?.isRetryable == true)
  }

  @Test(arguments: [FaultAction.Ending.close, .reset])
  func noAnswerIsAFailureThatMayPass(ending: FaultAction.Ending) async throws {
    let end = try await answer(.noAnswer(ending))
    #expect(end.outcomes.first?.failure?.code == .reset)
    #expect(end.outcomes.first?.failure?.isRetryable == true)
    #expect(end.head == nil)
  }

  @Test func whatIsNotHTTPIsAFailure() async throws {
    for bytes in ["SPAM/9.9 what?\r\n\r\n", "HTTP/1.1\r\n\r\n", "\r\n\r\n", "<html>no head</html>"] {
      let end = try await answer(.raw(Array(bytes.utf8)))
      #expect(end.outcomes.first?.failure?.code == .protocolViolation, "\(bytes)")
      #expect(end.head == nil)
    }
  }

  @Test func aHeadThatIsTooLongIsAFailureThatStays() async throws {
    let end = try await answer(.padHead(bytes: 300 * 1024))
    #expect(end.outcomes.first?.failure?.code == .headerTooLarge)
    #expect(end.outcomes.first?.failure?.isRetryable == false)
    #expect(try await answer(.padHead(bytes: 200 * 1024)).outcomes == [.complete])
  }

  @Test func chunkedBodiesAreWhole() async throws {
    for action in [FaultAction.chunked(withLength: false), .chunked(withLength: true)] {
      let end = try await answer(action)
      #expect(end.outcomes == [.complete])
      #expect(difference(end.body, content.bytes(in: 1000..<101_000)) == nil)
      #expect(end.head?.contentLength == nil)
    }
  }

  @Test func oldServersEndTheBodyWithTheConnection() async throws {
    let end = try await answer(.http10, .ignoreRange, .dropHeader("Content-Length"))
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, content.all) == nil)
    #expect(end.head?.version == HTTPVersion(major: 1, minor: 0))
    #expect(try judged(end) == .wholeBody(length: nil))
  }

  @Test func surplusBytesAreNotDelivered() async throws {
    let end = try await answer(.surplus(Array(repeating: 0xAA, count: 5000)))
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, content.bytes(in: 1000..<101_000)) == nil)
  }

  @Test func aBodyOtherThanItsContentRangeIsAFailure() async throws {
    let long = try await answer(.chunked(withLength: false), .contentRange(.value("bytes 1000-50999/200000")))
    #expect(long.outcomes.first?.failure?.code == .longBody)
    #expect(difference(long.body, content.bytes(in: 1000..<51_000)) == nil)
    let short = try await answer(.chunked(withLength: false), .contentRange(.value("bytes 1000-150999/200000")))
    #expect(short.outcomes.first?.failure?.code == .shortBody)
  }

  @Test func interimAnswersAndTrailersAreNotShown() async throws {
    let raw = """
      HTTP/1.1 103 Early Hints\r\nLink: </style>\r\nETag: "early"\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
      HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: ETag\r\n\r\n3\r\nabc\r\n0\r\nETag: "late"\r\n\r\n
      """
    let end = try await answer(.raw(Array(raw.utf8)))
    #expect(end.outcomes == [.complete])
    #expect(difference(end.body, Array("abc".utf8)) == nil)
    #expect(end.head?.status == 200)
    #expect(end.head?.validator == nil)
  }

  @Test func redirectsAreReportedAndNotFollowed() async throws {
    for target in ["/other", "http://127.0.0.2:1/x", "file:///etc/passwd", "//b.example/x"] {
      let end = try await answer(.redirect(302, to: target))
      #expect(end.outcomes == [.complete])
      #expect(try judged(end) == .redirect(location: target))
    }
    var chain = RedirectChain(start: try HTTPURL("http://127.0.0.1/"))
    #expect(throws: HTTPFailure.self) { try chain.follow("file:///etc/passwd") }
  }

  @Test func judgesWhatServersReallySend() async throws {
    #expect(try judged(try await answer()) == .body(startsAt: 1000, length: 100_000, total: 200_000))
    #expect(try judged(try await answer(.alignStart(4096))) == .body(startsAt: 0, length: 101_000, total: 200_000))
    #expect(try judged(try await answer(.limitRange(to: 10))) == .body(startsAt: 1000, length: 10, total: 200_000))
    #expect(
      try judged(try await answer(.contentRange(.unknownTotal))) == .body(startsAt: 1000, length: 100_000, total: nil))
    #expect(try judged(try await answer(.ignoreRange)) == .wholeBody(length: 200_000))
    let unusable: [(FaultAction, HTTPFailure.Code)] = [
      (.multipart, .multipart), (.gzipLabel, .contentCoding), (.contentRange(.missing), .contentRangeMissing),
      (.contentRange(.duplicated), .contentRangeRepeated), (.contentRange(.shifted(by: 7)), .wrongRange),
      (.contentRange(.conflicting("bytes 0-1/2")), .contentRangeRepeated),
      (.contentRange(.total(7)), .contentRangeMalformed),
      (.contentRange(.total(200_001)), .wrongTotal), (.contentRange(.unit("items")), .contentRangeMalformed),
    ]
    for (action, code) in unusable {
      let judgement = try judged(try await answer(action))
      guard case .unusable(let failure) = judgement else {
        Issue.record("\(action) is judged as \(judgement)")
        continue
      }
      #expect(failure.code == code)
    }
    let busy = try judged(try await answer(.status(503, retryAfter: .date(secondsFromNow: 90))))
    guard case .status(let failure) = busy else {
      Issue.record("a 503 is judged as \(busy)")
      return
    }
    #expect(failure.isRetryable && failure.retryAfter == .seconds(90))
  }

  @Test func aClosedPortIsAFailureThatMayPass() async throws {
    let server = try FaultServer(content: [1])
    let url = server.url()
    server.stop()
    let fetcher = try CurlFetcher()
    let end = await fetcher.fetch(try RangeRequest(url))
    fetcher.shutdown()
    #expect(end.outcomes.first?.failure?.code == .connect)
    #expect(end.outcomes.first?.failure?.isRetryable == true)
  }

  @Test func optionsThatMakeNoSenseAreFailuresThatStay() async throws {
    let server = try FaultServer(content: [1])
    let fetcher = try CurlFetcher()
    var request = try RangeRequest(server.url())
    request.options.interface = "if!no-such-interface"
    let end = await fetcher.fetch(request)
    fetcher.shutdown()
    #expect(end.outcomes.first?.failure?.code == .invalidOption)
    #expect(end.outcomes.first?.failure?.isRetryable == false)
  }

  @Test func aNameThatDoesNotResolveIsAFailureThatMayPass() async throws {
    let fetcher = try CurlFetcher()
    var request = try RangeRequest("http://name.invalid/x")
    // Answered without asking anyone: no address of that family.
    request.options.resolve = ["name.invalid:80:127.0.0.1"]
    request.options.addressFamily = .v6
    let end = await fetcher.fetch(request)
    fetcher.shutdown()
    let failure = try #require(end.outcomes.first?.failure)
    #expect([.resolve, .connect].contains(failure.code))
    #expect(failure.isRetryable)
  }

  @Test func theRateHoldsForAllTogether() async throws {
    let server = try FaultServer(resources: ["/f": Resource(.zeros(length: 100_000))])
    let rate: UInt64 = 1_000_000
    let fetcher = try CurlFetcher(CurlFetcher.Options(loops: 2, bytesPerSecond: rate))
    let receivers = (0..<4).map { _ in RecordingReceiver() }
    let clock = ContinuousClock()
    let start = clock.now
    for receiver in receivers { _ = fetcher.start(try RangeRequest(server.url("/f")), receiver: receiver) }
    for receiver in receivers { #expect(await receiver.end().body.count == 100_000) }
    // A slow machine makes it longer; nothing may make it shorter than the rate, its burst and the last pieces allow.
    let allowance = Double(rate) / 20 + 4 * 16384
    #expect((clock.now - start) / .seconds(1) >= (400_000 - allowance) / Double(rate))
    fetcher.shutdown()
  }
}
