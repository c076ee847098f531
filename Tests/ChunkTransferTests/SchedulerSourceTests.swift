import ChunkCore
import ChunkHTTP
import ChunkSystem
import Testing

@testable import ChunkTransfer

/// Which of several sources is asked, and when a source has failed.
struct SchedulerSourceTests {
  @Test("a wrong chunk does not wait for another source that has a long time to wait")
  func wrongChunkDoesNotWait() throws {
    let run = try SchedulerRun(chunks: 8, connections: 2, mirrors: ["http://mirror.example/f"])
    let spans = run.startAll()
    let (first, second) = (spans[0], spans[1])
    #expect(first.source != second.source)
    run.fail(second, HTTPFailure(code: .status, message: "", isRetryable: true, retryAfter: .seconds(300), status: 500))
    run.scheduler.sealed(first.chunks.lowerBound, by: first.id)
    run.apply(run.scheduler.wrong(first.chunks.lowerBound, contributors: [first.source]))
    let next = try #require(run.start())
    #expect(next.source == first.source)
    #expect(next.chunks == first.chunks.lowerBound..<first.chunks.lowerBound.advanced(by: 1))
  }

  @Test("an answer with next to nothing in it is a failure: the next waits, and the sixth in a row is the end")
  func nextToNothing() throws {
    let run = try SchedulerRun(chunks: 4, connections: 1)
    for count in 1...6 {
      #expect(run.outcome == nil)
      let span = try #require(run.start())
      run.answer(span)
      run.apply(
        run.scheduler.ended(span.id, .complete, received: 1, fragment: (ChunkIndex(0), count), now: run.now))
      #expect(run.start() == nil)
      run.wait(.seconds(61))
    }
    #expect(run.outcome == .fail(TransferError(.unreachable, "")))
  }

  @Test("an answer that is shorter than the range, but not empty, is gone on with at once")
  func shortAnswer() throws {
    let run = try SchedulerRun(chunks: 4, connections: 1)
    let span = try #require(run.start())
    run.answer(span)
    run.apply(
      run.scheduler.ended(
        span.id, .complete, received: 20_000, fragment: (span.chunks.lowerBound, 20_000), now: run.now))
    #expect(run.start()?.firstByte == 20_000)
  }

  @Test("a source that has not answered has one request, once another has answered")
  func silentSource() throws {
    let run = try SchedulerRun(chunks: 4096, connections: 8, mirrors: ["http://mirror.example/f"])
    let first = try #require(run.start())
    run.wait(.milliseconds(50))
    run.answer(first)
    let others = run.startAll()
    #expect(others.count == 7)
    #expect(others.count { $0.source != first.source } == 1)
  }
}
