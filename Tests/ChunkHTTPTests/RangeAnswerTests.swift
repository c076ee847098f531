import ChunkHTTP
import Testing

@Suite struct RangeAnswerTests {
  let url: HTTPURL

  init() throws { url = try HTTPURL("http://a.example/f?token=hidden") }

  func judge(
    _ status: Int, _ headers: KeyValuePairs<String, String>, range: ClosedRange<UInt64>? = 100...199,
    total: UInt64? = nil
  ) -> RangeAnswer {
    let head = ResponseHead(
      status: status, version: HTTPVersion(major: 1, minor: 1), url: url, headers: HeaderFields(headers))
    return RangeAnswer.judge(head, for: RangeRequest(url: url, range: range, knownTotal: total))
  }

  /// The code of an answer that cannot be used.
  func problem(_ answer: RangeAnswer) -> HTTPFailure.Code? {
    guard case .unusable(let failure) = answer else { return nil }
    #expect(!failure.message.contains("hidden"))
    return failure.code
  }

  @Test(
    arguments: [
      ("bytes 100-199/1000", 100, 100, 1000), ("bytes 100-199/*", 100, 100, nil),
      // Shorter, longer and earlier than asked for: what it says is where the bytes go.
      ("bytes 100-149/1000", 100, 50, 1000), ("bytes 100-299/1000", 100, 200, 1000),
      ("bytes 0-999/1000", 0, 1000, 1000),
      ("bytes 50-100/1000", 50, 51, 1000),
    ] as [(String, UInt64, UInt64, UInt64?)])
  func placesBytesByContentRange(field: String, start: UInt64, length: UInt64, total: UInt64?) {
    let expected = RangeAnswer.body(startsAt: start, length: length, total: total)
    #expect(judge(206, ["Content-Range": field]) == expected)
    #expect(judge(206, ["Content-Range": field, "Content-Length": "\(length)"], total: 1000) == expected)
  }

  @Test func refusesUnusableParts() {
    let good = "bytes 100-199/1000"
    #expect(problem(judge(206, [:])) == .contentRangeMissing)
    #expect(problem(judge(206, ["Content-Range": good, "content-range": good])) == .contentRangeRepeated)
    #expect(problem(judge(206, ["Content-Range": "bytes 100-x/1000"])) == .contentRangeMalformed)
    #expect(problem(judge(206, ["Content-Range": "items 100-199/1000"])) == .contentRangeMalformed)
    #expect(problem(judge(206, ["Content-Range": "bytes */1000"])) == .contentRangeMalformed)
    #expect(problem(judge(206, ["Content-Range": "bytes 0-99/1000"])) == .wrongRange)
    #expect(problem(judge(206, ["Content-Range": "bytes 101-199/1000"])) == .wrongRange)
    #expect(problem(judge(206, ["Content-Range": "bytes 200-299/1000"])) == .wrongRange)
    #expect(problem(judge(206, ["Content-Range": good], total: 1001)) == .wrongTotal)
    #expect(problem(judge(206, ["Content-Range": "bytes 100-1000/*"], total: 1000)) == .wrongRange)
    #expect(problem(judge(206, ["Content-Range": good, "Content-Length": "99"])) == .contentLengthConflict)
    #expect(
      problem(judge(206, ["Content-Range": good, "Content-Length": "100", "content-length": "5"]))
        == .contentLengthConflict)
    #expect(problem(judge(206, ["Content-Range": good, "Content-Length": "100, 5"])) == .contentLengthConflict)
    #expect(problem(judge(206, ["Content-Range": good, "Content-Length": "-100"])) == .contentLengthConflict)
    #expect(problem(judge(206, ["Content-Type": "multipart/byteranges; boundary=x"])) == .multipart)
    #expect(problem(judge(206, ["Content-Type": "Multipart/ByteRanges", "Content-Range": good])) == .multipart)
    #expect(problem(judge(206, ["Content-Range": good, "Content-Encoding": "gzip"])) == .contentCoding)
    #expect(problem(judge(206, ["Content-Range": good, "Content-Encoding": "identity, br"])) == .contentCoding)
  }

  @Test func acceptsWhatChangesNothing() {
    let expected = RangeAnswer.body(startsAt: 100, length: 100, total: 1000)
    let good = "bytes 100-199/1000"
    #expect(judge(206, ["Content-Range": good, "Content-Length": "100, 100"]) == expected)
    #expect(judge(206, ["Content-Range": good, "Content-Length": "100", "content-length": "100"]) == expected)
    #expect(judge(206, ["Content-Range": good, "Content-Encoding": "identity"]) == expected)
    #expect(judge(206, ["Content-Range": good, "Content-Encoding": ""]) == expected)
    #expect(judge(206, ["Content-Range": good, "Transfer-Encoding": "chunked", "Content-Length": "7"]) == expected)
  }

  @Test func aPartNobodyAskedForIsOneFromTheStart() {
    #expect(judge(206, ["Content-Range": "bytes 0-9/10"], range: nil) == .body(startsAt: 0, length: 10, total: 10))
    #expect(problem(judge(206, ["Content-Range": "bytes 1-9/10"], range: nil)) == .wrongRange)
  }

  @Test func wholeBodies() {
    #expect(judge(200, [:]) == .wholeBody(length: nil))
    #expect(judge(200, ["Content-Length": "1000"]) == .wholeBody(length: 1000))
    #expect(judge(203, ["Content-Length": "1000"], total: 1000) == .wholeBody(length: 1000))
    #expect(judge(200, ["Transfer-Encoding": "chunked"], total: 1000) == .wholeBody(length: nil))
    #expect(judge(200, ["Content-Length": "1000", "Content-Range": "bytes 0-999/1000"]) == .wholeBody(length: 1000))
    #expect(judge(200, ["Content-Range": "bytes 0-999/1000"]) == .wholeBody(length: 1000))
    #expect(problem(judge(200, ["Content-Length": "999"], total: 1000)) == .wrongTotal)
    #expect(problem(judge(200, ["Content-Range": "bytes 0-998/999"], total: 1000)) == .wrongTotal)
    #expect(problem(judge(200, ["Content-Encoding": "gzip"])) == .contentCoding)
    #expect(problem(judge(200, ["Content-Length": "100", "Content-Range": "bytes 100-199/1000"])) == .wrongRange)
    #expect(problem(judge(200, ["Content-Length": "100", "Content-Range": "bytes 0-99/1000"])) == .wrongRange)
  }

  @Test func otherAnswersOfTheProtocol() {
    #expect(judge(416, ["Content-Range": "bytes */50"]) == .notSatisfiable(total: 50))
    #expect(judge(416, [:]) == .notSatisfiable(total: nil))
    #expect(judge(416, ["Content-Range": "bytes */50", "content-range": "bytes */60"]) == .notSatisfiable(total: nil))
    for status in [301, 302, 303, 307, 308] {
      #expect(judge(status, ["Location": "/y"]) == .redirect(location: "/y"))
    }
    for headers: KeyValuePairs in [[:], ["Location": "/y", "location": "/z"]] {
      guard case .status(let failure) = judge(302, headers) else {
        Issue.record("a redirect to nowhere is no failure")
        continue
      }
      #expect(!failure.isRetryable)
    }
  }

  @Test(arguments: 200...599)
  func retriesWhatMayPass(status: Int) {
    guard case .status(let failure) = judge(status, ["Retry-After": "7", "Location": "/y"], range: nil) else { return }
    let retryable = [408, 425, 429, 500, 502, 503, 504] + Array(520...527)
    #expect(failure.isRetryable == retryable.contains(status))
    #expect(failure.status == status)
    #expect(failure.retryAfter == .seconds(7))
    #expect(failure.message.hasPrefix("http://a.example/f?token=…: "))
    #expect(failure.message.contains("\(status)"))
  }

  @Test func statusesThatCarryTheFileAreNoFailures() {
    for status in [204, 205, 207, 300, 304, 305] {
      guard case .status(let failure) = judge(status, ["Location": "/y"]) else {
        Issue.record("\(status) is taken for something useful")
        continue
      }
      #expect(!failure.isRetryable)
    }
  }

  @Test func retryAfterIsRelativeToTheAnswer() {
    let headers: KeyValuePairs = [
      "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT",
    ]
    guard case .status(let failure) = judge(503, headers) else {
      Issue.record("503 is no failure")
      return
    }
    #expect(failure.retryAfter == .seconds(120))
  }
}
