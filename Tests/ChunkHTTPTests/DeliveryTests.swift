import ChunkHTTP
import Testing

@Suite struct DeliveryTests {
  let url: HTTPURL
  let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  init() throws { url = try HTTPURL("http://a.example/f") }

  func delivery(to receiver: RecordingReceiver, method: RangeRequest.Method = .get, meter: FetchMeter = FetchMeter())
    -> Delivery
  {
    Delivery(request: RangeRequest(url: url, method: method), receiver: receiver, meter: meter, limit: nil)
  }

  @discardableResult
  func head(_ delivery: Delivery, _ lines: String...) -> Delivery.Step {
    var step = Delivery.Step.goOn
    for line in lines + [""] { step = delivery.receive(headerLine: Array("\(line)\r\n".utf8).span) }
    return step
  }

  func body(_ delivery: Delivery, _ range: Range<Int>) -> Delivery.Step {
    delivery.receive(body: bytes.span.extracting(range))
  }

  @Test func aWholeAnswerIsComplete() {
    let receiver = RecordingReceiver()
    let meter = FetchMeter()
    let delivery = delivery(to: receiver, meter: meter)
    #expect(head(delivery, "HTTP/1.1 200 OK", "Content-Length: 1000") == .goOn)
    #expect(body(delivery, 0..<600) == .goOn)
    #expect(body(delivery, 600..<1000) == .goOn)
    #expect(delivery.outcome(transport: nil) == .complete)
    #expect(difference(receiver.current.body, bytes) == nil)
    #expect(meter.activity.bodyBytes == 1000)
    #expect(meter.activity.hasHead)
  }

  @Test(arguments: ["Content-Length: 1000", "Content-Range: bytes 0-999/5000"])
  func aShortBodyIsAFailureThatMayPass(field: String) {
    let delivery = delivery(to: RecordingReceiver())
    head(delivery, "HTTP/1.1 206 Partial Content", field)
    #expect(body(delivery, 0..<999) == .goOn)
    let failure = delivery.outcome(transport: nil).failure
    #expect(failure?.code == .shortBody)
    #expect(failure?.isRetryable == true)
  }

  @Test func nothingBeyondTheAnnouncedRangeIsDelivered() {
    let receiver = RecordingReceiver()
    let delivery = delivery(to: receiver)
    head(delivery, "HTTP/1.1 206 Partial Content", "Content-Range: bytes 0-699/5000", "Transfer-Encoding: chunked")
    #expect(body(delivery, 0..<600) == .goOn)
    #expect(body(delivery, 600..<1000) == .end)
    #expect(delivery.outcome(transport: nil).failure?.code == .longBody)
    #expect(difference(receiver.current.body, Array(bytes[..<700])) == nil)
  }

  @Test func aBodyOfUnknownLengthMayHaveAny() {
    let delivery = delivery(to: RecordingReceiver())
    head(delivery, "HTTP/1.0 200 OK")
    #expect(body(delivery, 0..<7) == .goOn)
    #expect(delivery.outcome(transport: nil) == .complete)
  }

  @Test func aHeadAloneHasNoBody() {
    let delivery = delivery(to: RecordingReceiver(), method: .head)
    head(delivery, "HTTP/1.1 200 OK", "Content-Length: 1000")
    #expect(delivery.outcome(transport: nil) == .complete)
  }

  @Test func noAnswerIsAFailureThatMayPass() {
    let outcome = delivery(to: RecordingReceiver()).outcome(transport: nil)
    #expect(outcome.failure?.code == .reset)
    #expect(outcome.failure?.isRetryable == true)
  }

  @Test func pausedBytesComeAgainAndAreCountedOnce() {
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, _ in
      [.pause, .partlyTaken(10), .partlyTaken(0), .partlyTaken(20), .taken][offer - 1]
    }
    let meter = FetchMeter()
    let delivery = delivery(to: receiver, meter: meter)
    head(delivery, "HTTP/1.1 200 OK", "Content-Length: 1000")
    for taken in [0, 10, 10, 30] {
      #expect(body(delivery, 0..<1000) == .pause)
      #expect(delivery.pause == .byReceiver)
      #expect(meter.activity.isPaused)
      #expect(meter.activity.bodyBytes == UInt64(taken))
      delivery.resume()
      #expect(!meter.activity.isPaused)
    }
    #expect(body(delivery, 0..<1000) == .goOn)
    #expect(difference(receiver.current.body, bytes) == nil)
    #expect(delivery.outcome(transport: nil) == .complete)
  }

  @Test func whatComesAgainMayBeDividedOtherwise() {
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, count in
      offer == 1 ? .partlyTaken(100) : .taken
    }
    let delivery = delivery(to: receiver)
    head(delivery, "HTTP/1.1 200 OK", "Content-Length: 1000")
    #expect(body(delivery, 0..<500) == .pause)
    delivery.resume()
    for range in [0..<30, 30..<100, 100..<101, 101..<500, 500..<1000] { #expect(body(delivery, range) == .goOn) }
    #expect(difference(receiver.current.body, bytes) == nil)
  }

  @Test func takingTheLastByteIsNoPause() {
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { _, count in
      .partlyTaken(count)
    }
    let delivery = delivery(to: receiver)
    head(delivery, "HTTP/1.1 200 OK")
    #expect(body(delivery, 0..<500) == .goOn)
    #expect(delivery.pause == nil)
    #expect(body(delivery, 500..<1000) == .goOn)
    #expect(difference(receiver.current.body, bytes) == nil)
  }

  @Test func stopEndsIt() {
    let receiver = RecordingReceiver { _ in
      .accept
    } onBody: { offer, _ in
      offer == 2 ? .stop : .taken
    }
    let delivery = delivery(to: receiver)
    head(delivery, "HTTP/1.1 200 OK", "Content-Length: 1000")
    #expect(body(delivery, 0..<500) == .goOn)
    #expect(body(delivery, 500..<600) == .end)
    #expect(body(delivery, 600..<1000) == .end)
    #expect(receiver.current.offers == 2)
    #expect(delivery.outcome(transport: .some(HTTPFailure(code: .internalError, message: ""))) == .stopped)
  }

  @Test func aRefusedLongBodyEndsAtOnceAndAShortOneDrains() {
    for (length, step) in [("16384", Delivery.Step.goOn), ("16385", .end)] {
      let receiver = RecordingReceiver { _ in .refuse }
      let delivery = delivery(to: receiver)
      #expect(head(delivery, "HTTP/1.1 404 Not Found", "Content-Length: \(length)") == step)
      #expect(delivery.isDraining == (step == .goOn))
      #expect(body(delivery, 0..<1000) == step)
      #expect(receiver.current.offers == 0)
      #expect(delivery.outcome(transport: nil) == .refused)
    }
    let delivery = delivery(to: RecordingReceiver { _ in .refuse })
    #expect(head(delivery, "HTTP/1.1 200 OK", "Transfer-Encoding: chunked") == .end)
  }

  @Test func aBadHeaderEndsIt() {
    let delivery = delivery(to: RecordingReceiver())
    #expect(delivery.receive(headerLine: Array("SPAM\r\n".utf8).span) == .end)
    #expect(delivery.outcome(transport: nil).failure?.code == .protocolViolation)
  }
}

@Suite struct TokenBucketTests {
  @Test func theRateHoldsOverAnyTime() {
    // Whoever takes pieces of 16 KiB as soon as it may has taken what the rate allows, one piece and the burst at most.
    let rate: UInt64 = 100_000
    var bucket = TokenBucket(bytesPerSecond: rate, now: .zero)
    var now = Duration.zero
    var taken = 0
    for _ in 0..<1000 {
      now += bucket.delay(now: now)
      let isOpen = bucket.isOpen(now: now)
      #expect(isOpen)
      bucket.spend(16384, now: now)
      taken += 16384
      #expect(Double(taken) <= now / .seconds(1) * Double(rate) + Double(rate) / 20 + 16384 + 1)
    }
    #expect(Double(taken) >= now / .seconds(1) * Double(rate))
  }

  @Test func nothingIsSavedUpInTheLongRun() {
    var bucket = TokenBucket(bytesPerSecond: 1_000_000, now: .zero)
    let later = Duration.seconds(3600)
    bucket.spend(50_000, now: later)
    let isOpen = bucket.isOpen(now: later)
    #expect(!isOpen)
    let delay = bucket.delay(now: later)
    #expect(delay > .zero && delay < .milliseconds(1))
  }

  @Test func timeThatGoesBackChangesNothing() {
    var bucket = TokenBucket(bytesPerSecond: 1000, now: .seconds(10))
    bucket.spend(1050, now: .seconds(10))
    let early = bucket.isOpen(now: .seconds(1))
    #expect(!early)
    let delay = bucket.delay(now: .seconds(10))
    #expect(delay > .milliseconds(990) && delay < .milliseconds(1010))
  }

  @Test func aRateOfZeroIsTheSmallestOne() {
    var bucket = TokenBucket(bytesPerSecond: 0, now: .zero)
    bucket.spend(1, now: .zero)
    let delay = bucket.delay(now: .zero)
    #expect(delay <= .seconds(2))
  }
}
