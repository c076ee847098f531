import ChunkCore
import ChunkHTTP
import ChunkSystem
import Testing

@testable import ChunkTransfer

/// The scheduler alone: no network, no disk, no clock.
struct SchedulerTests {
  @Test("spans shrink towards the end, and every chunk is asked for exactly once")
  func coversEverythingOnce() throws {
    let run = try SchedulerRun(chunks: 4096)
    var asked: [Int] = []
    var longest: [Int] = []
    while let span = run.start() {
      asked += span.chunks.map(\.rawValue)
      longest.append(span.chunks.count)
      run.deliver(span)
    }
    #expect(asked.sorted() == Array(0..<4096))
    #expect(longest.first == 80)
    #expect(longest.dropLast().allSatisfy { $0 >= 4 })
    #expect(longest.suffix(4).allSatisfy { $0 <= 4 })
    #expect(run.outcome == .finish)
  }

  @Test("a request that breaks gives back what it did not deliver, and the next goes on from the missing byte")
  func goesOnFromTheMissingByte() throws {
    let run = try SchedulerRun(chunks: 8, connections: 1)
    let span = try #require(run.start())
    #expect(span.chunks == ChunkIndex(0)..<ChunkIndex(5))
    run.verify(ChunkIndex(0), of: span)
    run.apply(
      run.scheduler.ended(
        span.id, .failed(run.broken), received: 300_000, fragment: (ChunkIndex(1), 37_856), now: run.now))
    let next = try #require(run.start())
    #expect(next.chunks.lowerBound == ChunkIndex(1))
    #expect(next.firstByte == 262_144 + 37_856)
  }

  @Test("a link that expired is resolved again by one request while the others wait")
  func resolvesOnce() throws {
    let run = try SchedulerRun(chunks: 64, connections: 4)
    let first = try #require(run.start())
    let target = try HTTPURL("http://cdn.example/token1")
    let followed = run.scheduler.redirected(first.id, to: target)
    #expect(followed == [.follow(first.id, url: target)])
    run.scheduler.answered(first.id, now: run.now)
    var others: [SpanRequest] = []
    while let span = run.start() { others.append(span) }
    #expect(others.count == 3)
    #expect(others.allSatisfy { $0.url == target })
    for span in [first] + others {
      run.apply(run.scheduler.ended(span.id, .failed(run.forbidden), received: 0, fragment: nil, now: run.now))
    }
    let resolver = try #require(run.start())
    #expect(resolver.url == run.url)
    #expect(run.start() == nil)
    let fresh = try HTTPURL("http://cdn.example/token2")
    run.apply(run.scheduler.redirected(resolver.id, to: fresh))
    #expect(run.start() == nil)
    run.scheduler.answered(resolver.id, now: run.now)
    #expect(run.start()?.url == fresh)
    #expect(run.outcome == nil)
  }

  @Test("what the original itself leads to is final")
  func refusalOfTheOriginalIsFinal() throws {
    let run = try SchedulerRun(chunks: 4, connections: 1)
    let first = try #require(run.start())
    run.apply(run.scheduler.redirected(first.id, to: try HTTPURL("http://cdn.example/a")))
    run.apply(run.scheduler.ended(first.id, .failed(run.forbidden), received: 0, fragment: nil, now: run.now))
    #expect(run.outcome == .fail(TransferError(.unreachable, "")))
  }

  @Test("a chunk that came wrong is asked for alone, at another source first")
  func wrongChunkGoesElsewhere() throws {
    let run = try SchedulerRun(chunks: 8, connections: 2, mirrors: ["http://mirror.example/f"])
    let span = try #require(run.start())
    run.scheduler.sealed(ChunkIndex(0), by: span.id)
    run.apply(run.scheduler.wrong(ChunkIndex(0), contributors: [span.source]))
    let next = try #require(run.start())
    #expect(next.chunks == ChunkIndex(0)..<ChunkIndex(1))
    #expect(next.source != span.source)
  }

  @Test("a wrong chunk of two sources blames neither")
  func twoContributorsAreNotBlamed() throws {
    let run = try SchedulerRun(chunks: 2, mirrors: ["http://mirror.example/f"])
    run.apply(
      run.scheduler.wrong(ChunkIndex(0), contributors: [SourceID(rawValue: 0), SourceID(rawValue: 1)]))
    #expect(run.scheduler.sources.allSatisfy { $0.wrong.isEmpty && $0.isActive })
  }

  @Test("a source is quarantined when the same chunk was wrong twice; the last one is not")
  func quarantine() throws {
    let run = try SchedulerRun(chunks: 400, mirrors: ["http://mirror.example/f"])
    let bad = SourceID(rawValue: 1)
    run.apply(run.scheduler.wrong(ChunkIndex(5), contributors: [bad]))
    #expect(run.scheduler.sources[1].isActive)
    run.apply(run.scheduler.wrong(ChunkIndex(5), contributors: [bad]))
    #expect(run.scheduler.sources[1].isQuarantined)
    for _ in 0..<2 { run.apply(run.scheduler.wrong(ChunkIndex(6), contributors: [SourceID(rawValue: 0)])) }
    #expect(run.scheduler.sources[0].isActive)
    #expect(run.outcome == nil)
    run.apply(run.scheduler.wrong(ChunkIndex(6), contributors: [SourceID(rawValue: 0)]))
    #expect(run.outcome == .fail(TransferError(.noRightBytes, "")))
  }

  @Test("Retry-After is kept, and a refused connection lowers the limit")
  func throttled() throws {
    let run = try SchedulerRun(chunks: 64, connections: 4)
    var spans: [SpanRequest] = []
    while let span = run.start() { spans.append(span) }
    #expect(spans.count == 4)
    run.scheduler.answered(spans[0].id, now: run.now)
    run.scheduler.answered(spans[1].id, now: run.now)
    let busy = HTTPFailure(
      code: .status, message: "busy", isRetryable: true, retryAfter: .seconds(7), status: 429)
    for span in spans[2...] {
      run.apply(run.scheduler.ended(span.id, .failed(busy), received: 0, fragment: nil, now: run.now))
    }
    #expect(run.scheduler.connectionLimit == 2)
    run.apply(run.scheduler.ended(spans[0].id, .complete, received: 0, fragment: nil, now: run.now))
    run.now = run.now.advanced(by: .seconds(6))
    #expect(run.start() == nil)
    run.now = run.now.advanced(by: .seconds(1))
    #expect(run.start() != nil)
  }

  @Test("failures in a row end a source; one that brought something does not count")
  func attempts() throws {
    let run = try SchedulerRun(chunks: 4, connections: 1)
    for attempt in 1...20 {
      let span = try #require(run.start(), "attempt \(attempt)")
      run.apply(run.scheduler.ended(span.id, .failed(run.broken), received: 100_000, fragment: nil, now: run.now))
    }
    for _ in 0...5 {
      #expect(run.outcome == nil)
      run.now = run.now.advanced(by: .seconds(61))
      let span = try #require(run.start())
      run.apply(run.scheduler.ended(span.id, .failed(run.broken), received: 0, fragment: nil, now: run.now))
    }
    #expect(run.outcome == .fail(TransferError(.unreachable, "")))
  }

  @Test("a server that ignores ranges is read as one stream, and the other requests are dropped")
  func wholeBodies() throws {
    let run = try SchedulerRun(chunks: 64, connections: 4)
    var spans: [SpanRequest] = []
    while let span = run.start() { spans.append(span) }
    let actions = run.scheduler.wholeBodyOffered(spans[1].id, now: run.now)
    #expect(actions.last == .acceptWholeBody(spans[1].id))
    #expect(actions.count == 4)
    for span in spans where span.id != spans[1].id {
      run.apply(run.scheduler.ended(span.id, .cancelled, received: 0, fragment: nil, now: run.now))
    }
    #expect(run.start() == nil)
    for chunk in run.scheduler.geometry.chunks { run.verify(chunk, of: spans[1]) }
    #expect(run.outcome == .finish)
  }

  @Test("a connection that runs dry takes a part of the span that would end last, so that both end together")
  func splits() throws {
    let run = try SchedulerRun(chunks: 64, connections: 2)
    let first = try #require(run.start())
    var next = try #require(run.start())
    run.answer(first)
    var second: UInt64 = 0
    while next.shortens == nil {
      second += 1
      run.answer(next)
      run.wait(.seconds(1))
      // The first brings half a chunk a second, the others bring everything.
      run.scheduler.received(second * 131_072, by: first.id, now: run.now)
      run.apply(run.scheduler.tick(now: run.now, total: 0))
      run.deliver(next)
      next = try #require(run.start())
    }
    #expect(next.shortens == first.id)
    #expect(next.chunks.upperBound == first.chunks.upperBound)
    // Nearly all of it, but for the chunk that is coming.
    #expect(next.chunks.count > first.chunks.count / 2)
    #expect(next.chunks.lowerBound > first.chunks.lowerBound)
  }

  @Test(
    "for the last 0.6 s of a span a free connection is worth its round trip, and a new one is not",
    arguments: [true, false])
  func splitsForFreeConnections(isFree: Bool) throws {
    let run = try SchedulerRun(chunks: 8, connections: 2)
    let first = try #require(run.start())
    let second = try #require(run.start())
    #expect(first.chunks.count == 4 && second.chunks.count == 4)
    run.wait(.milliseconds(100))
    run.answer(second)
    for (place, chunk) in second.chunks.enumerated() {
      run.wait(.milliseconds(150))
      run.scheduler.received(UInt64(place + 1) * 262_144, by: second.id, now: run.now)
      run.apply(run.scheduler.tick(now: run.now, total: 0))
      run.verify(chunk, of: second)
    }
    let end = isFree ? RequestEnd.complete : .cancelled
    run.apply(run.scheduler.ended(second.id, end, received: 4 * 262_144, fragment: nil, now: run.now))
    #expect(run.start()?.shortens == (isFree ? first.id : nil))
  }

  @Test("far away a transfer begins with as many connections as a host may have, unless -x says how many")
  func startsFarAway() throws {
    func open(_ configure: (inout Scheduler.Settings) -> Void) throws -> Int {
      var settings = Scheduler.Settings()
      configure(&settings)
      let geometry = try ChunkGeometry(fileLength: 1 << 30, chunkSize: .standard)
      var scheduler = Scheduler(geometry: geometry, settings: settings, now: Instant.now, seed: 1)
      scheduler.addSource(try HTTPURL("http://origin.example/f"))
      scheduler.want(geometry.chunks)
      while scheduler.nextStart(now: Instant.now) != nil {}
      return scheduler.openRequests
    }
    #expect(try open { _ in } == 4)
    #expect(try open { $0.answerTime = .milliseconds(100) } == 4)
    #expect(try open { $0.answerTime = .milliseconds(200) } == 16)
    #expect(try open { ($0.answerTime, $0.hostCeiling) = (.milliseconds(200), 6) } == 6)
    #expect(try open { ($0.answerTime, $0.totalCeiling) = (.milliseconds(200), 3) } == 3)
    #expect(try open { ($0.answerTime, $0.connections) = (.milliseconds(200), 2) } == 2)
    #expect(try open { $0.hostCeiling = 1 } == 1)
  }

  @Test(
    "a request is not cut short for bringing little before it had eight round trips to grow in",
    arguments: [true, false])
  func youngRequests(isYoung: Bool) throws {
    let run = try SchedulerRun(chunks: 8, connections: 2)
    let first = try #require(run.start())
    let second = try #require(run.start())
    run.wait(.milliseconds(100))
    run.answer(first)
    for tick in 1...2 {
      run.wait(.milliseconds(100))
      run.scheduler.received(UInt64(tick) << 19, by: first.id, now: run.now)
      run.apply(run.scheduler.tick(now: run.now, total: 0))
    }
    run.answer(second)
    for tick in 1...(isYoung ? 3 : 40) {
      run.wait(.milliseconds(25))
      run.scheduler.received(UInt64(tick) * 1000, by: second.id, now: run.now)
      run.apply(run.scheduler.tick(now: run.now, total: 0))
    }
    for chunk in first.chunks { run.verify(chunk, of: first) }
    run.apply(run.scheduler.ended(first.id, .complete, received: 1 << 20, fragment: nil, now: run.now))
    // At the rate of the first, it would be here before a part of it could come from elsewhere.
    #expect(run.start()?.shortens == (isYoung ? nil : second.id))
  }

  @Test("a span that is late is raced by one rival, and the right chunk that comes first ends the other")
  func races() throws {
    let run = try SchedulerRun(chunks: 8, connections: 2)
    let first = try #require(run.start())
    let second = try #require(run.start())
    #expect(first.chunks.count == 4 && second.chunks.count == 4)
    run.answer(first)
    run.answer(second)
    for chunk in first.chunks.dropLast() { run.verify(chunk, of: first) }
    for tick in 1...4 {
      run.wait(.milliseconds(100))
      for span in [first, second] { run.scheduler.received(UInt64(tick) * 196_608, by: span.id, now: run.now) }
      run.apply(run.scheduler.tick(now: run.now, total: 0))
    }
    run.deliver(second)
    #expect(run.start() == nil)
    run.wait(.milliseconds(1500))
    let rival = try #require(run.start())
    #expect(rival.chunks == ChunkIndex(3)..<ChunkIndex(4))
    #expect(run.start() == nil)
    run.scheduler.sealed(ChunkIndex(3), by: rival.id)
    let actions = run.scheduler.verified(ChunkIndex(3), from: rival.source, now: run.now)
    #expect(actions.contains(.cancel(first.id)))
  }

  @Test("in ordered output a late span is raced when the window is full, though more is wanted behind it")
  func racesInOrder() throws {
    let run = try SchedulerRun(chunks: 64, connections: 2, orderedWindow: 8)
    let late = try #require(run.start())
    let other = try #require(run.start())
    run.answer(late)
    run.answer(other)
    run.wait(.seconds(1))
    run.scheduler.received(65_536, by: late.id, now: run.now)
    run.scheduler.received(1_000_000, by: other.id, now: run.now)
    run.apply(run.scheduler.tick(now: run.now, total: 0))
    run.deliver(other)
    #expect(run.start() == nil)
    run.wait(.seconds(10))
    let rival = try #require(run.start())
    #expect(rival.chunks == late.chunks)
    #expect(rival.shortens == nil)
  }

  @Test("without a free buffer, only a chunk that broke off is gone on with")
  func brokenChunksNeedNoBuffer() throws {
    let run = try SchedulerRun(chunks: 64, connections: 4)
    let span = try #require(run.start())
    #expect(run.start(hasBuffer: false) == nil)
    run.apply(
      run.scheduler.ended(
        span.id, .failed(run.broken), received: 20_000, fragment: (span.chunks.lowerBound, 20_000), now: run.now))
    let next = try #require(run.start(hasBuffer: false))
    #expect(next.firstByte == 20_000)
    #expect(run.start(hasBuffer: false) == nil)
  }

  @Test("a reader that takes its time does not end the transfer, a silent network does")
  func patience() throws {
    let run = try SchedulerRun(chunks: 64, connections: 4, orderedWindow: 4)
    let span = try #require(run.start())
    run.deliver(span)
    while let more = run.start() { run.deliver(more) }
    #expect(run.scheduler.here.count == 4)
    run.now = run.now.advanced(by: .seconds(3600))
    run.apply(run.scheduler.tick(now: run.now, total: 0))
    #expect(run.outcome == nil)
    run.scheduler.outputAdvanced(to: ChunkIndex(4))
    _ = try #require(run.start())
    run.now = run.now.advanced(by: .seconds(599))
    run.apply(run.scheduler.tick(now: run.now, total: 0, isHeldBack: true))
    run.now = run.now.advanced(by: .seconds(599))
    run.apply(run.scheduler.tick(now: run.now, total: 0))
    #expect(run.outcome == nil)
    run.now = run.now.advanced(by: .seconds(1))
    run.apply(run.scheduler.tick(now: run.now, total: 0))
    #expect(run.outcome == .fail(TransferError(.unreachable, "")))
  }

  @Test("a server that speaks nothing but HTTP/2 is asked again with that, at once")
  func onlyHTTP2() throws {
    let run = try SchedulerRun(chunks: 4, connections: 1)
    let span = try #require(run.start())
    #expect(!span.usesHTTP2)
    let refusal = HTTPFailure(code: .http2Required, message: "HTTP/2 only")
    run.apply(run.scheduler.ended(span.id, .failed(refusal), received: 0, fragment: nil, now: run.now))
    #expect(run.start()?.usesHTTP2 == true)
  }
}
