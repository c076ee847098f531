import ChunkTestSupport
import FaultServer
import Testing

/// Each action does what its comment says, seen from a bare socket.
@Suite struct FaultTests {
  let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }

  @Test func `status for the first requests of a path`() async throws {
    let server = try FaultServer(
      content: content,
      script: FaultScript([.on(.path("/file.bin"), .status(503, retryAfter: .seconds(7)), skip: 1, times: 2)]))
    var answers: [RawConnection.Answer] = []
    for _ in 0..<4 { answers.append(try await fetch(server)) }
    #expect(answers.map(\.status) == [200, 503, 503, 200])
    #expect(answers.map { $0.header("Retry-After") } == [nil, "7", "7", nil])
    #expect(server.recording.requests.map(\.status) == [200, 503, 503, 200])
  }

  @Test func `Retry-After as a date is relative to Date`() async throws {
    let server = try FaultServer(
      content: content, script: FaultScript([.always(.status(429, retryAfter: .date(secondsFromNow: 86_400)))]))
    let answer = try await fetch(server)
    let date = try #require(answer.header("Date"))
    let later = try #require(answer.header("Retry-After"))
    #expect(answer.status == 429)
    #expect(date != later)
    #expect(date.suffix(13) == later.suffix(13), "the same time of day, one day later")
  }

  @Test(arguments: [FaultAction.Ending.close, .reset])
  func `body cut short`(ending: FaultAction.Ending) async throws {
    let server = try FaultServer(content: content, script: FaultScript([.always(.cut(after: 300, ending))]))
    let answer = try await fetch(server)
    #expect(answer.header("Content-Length") == "1000")
    #expect(answer.end == (ending == .close ? .closed : .reset))
    #expect(answer.body == Array(content[..<answer.body.count]))
    if ending == .close { #expect(answer.body.count == 300) }
    let recording = try await server.waitUntil { $0.finished == 1 }
    #expect(recording.requests[0].bodyBytesSent == 300)
    #expect(recording.requests[0].outcome == .cut)
  }

  @Test func `flipped bit the first time only`() async throws {
    let server = try FaultServer(content: content, script: FaultScript([.flip("/file.bin", at: 500, times: 1)]))
    let missed = try await fetch(server, "Range: bytes=0-499")
    let wrong = try await fetch(server, "Range: bytes=400-599")
    let right = try await fetch(server, "Range: bytes=400-599")
    #expect(missed.body == Array(content[..<500]))
    var expected = Array(content[400..<600])
    #expect(right.body == expected)
    expected[100] ^= 1
    #expect(wrong.body == expected)
  }

  @Test func `Range ignored from the second request on`() async throws {
    let server = try FaultServer(content: content, script: FaultScript([.on(.numberForPath(2...), .ignoreRange)]))
    #expect(try await fetch(server, "Range: bytes=0-9").status == 206)
    let second = try await fetch(server, "Range: bytes=0-9")
    #expect(second.status == 200)
    #expect(second.body == content)
  }

  @Test func `the first rule that speaks of an aspect holds`() async throws {
    let server = try FaultServer(
      content: content,
      script: FaultScript([
        .on(.number(1), .status(404)), .always(.status(500), .addHeader("X-A", "1"), .addHeader("X-A", "2")),
      ]))
    let first = try await fetch(server)
    #expect(first.status == 404)
    #expect(first.all("X-A") == ["1", "2"])
    #expect(try await fetch(server).status == 500)
  }
}
