import ChunkCore
import ChunkHTTP
import ChunkSystem
import Testing

@testable import ChunkTransfer

/// Hosts that take only so many requests at once.
struct SchedulerHostTests {
  private static func busy(_ wait: Duration, status: Int = 429) -> HTTPFailure {
    HTTPFailure(code: .status, message: "busy", isRetryable: true, retryAfter: wait, status: status)
  }

  @Test("the number a host allows is what it served, though a short answer ended before the refusals came")
  func endedBeforeTheRefusals() throws {
    let run = try SchedulerRun(chunks: 512)
    let spans = run.startAll()
    run.answer(spans[0])
    run.answer(spans[1])
    run.deliver(spans[0])
    for span in spans[2...] { run.fail(span, Self.busy(.seconds(7))) }
    #expect(run.scheduler.connectionLimit == 2)
    run.wait(.milliseconds(6999))
    #expect(run.start() == nil)
    run.wait(.milliseconds(1))
    #expect(run.startAll().count == 1)
  }

  @Test("a number that was only guessed is raised again when the host may be asked, one at a time")
  func guessIsRaised() throws {
    let run = try SchedulerRun(chunks: 512)
    let spans = run.startAll()
    for span in spans { run.fail(span, Self.busy(.seconds(1), status: 503)) }
    #expect(run.scheduler.connectionLimit == 1)
    run.wait(.seconds(1))
    var open: [SpanRequest] = []
    for count in 1...4 {
      let started = run.startAll()
      #expect(started.count == 1)
      open += started
      #expect(open.count == count)
      for span in started { run.answer(span) }
    }
    #expect(run.scheduler.connectionLimit == 4)
  }

  @Test("a number the host has confirmed stays for a minute, and the next refusal confirms it for longer")
  func confirmedNumberStays() throws {
    let run = try SchedulerRun(chunks: 4096)
    var open = run.startAll()
    for span in open[..<2] { run.answer(span) }
    for span in open[2...] { run.fail(span, Self.busy(.seconds(1))) }
    open.removeLast(2)
    run.wait(.seconds(59))
    #expect(replaceOne(&open, in: run) == 1)
    run.wait(.seconds(2))
    #expect(replaceOne(&open, in: run) == 2)
    let third = open.removeLast()
    run.fail(third, Self.busy(.seconds(1)))
    #expect(run.scheduler.connectionLimit == 2)
    run.wait(.seconds(61))
    #expect(replaceOne(&open, in: run) == 1)
  }

  /// Delivers one of the open spans and answers what is started then; returns how many that were.
  private func replaceOne(_ open: inout [SpanRequest], in run: SchedulerRun) -> Int {
    run.deliver(open.removeFirst())
    var count = 0
    while let span = run.start() {
      count += 1
      open.append(span)
      if open.count <= 2 { run.answer(span) }
    }
    return count
  }

  @Test("what one source of a host is told holds for the others there, and for no other host")
  func perHost() throws {
    let run = try SchedulerRun(
      chunks: 512, mirrors: ["http://origin.example/copy", "http://other.example/f"])
    let refused = try #require(run.startAll().first { $0.source == SourceID(rawValue: 0) })
    run.fail(refused, Self.busy(.seconds(7)))
    let next = try #require(run.start())
    #expect(next.source == SourceID(rawValue: 2))
  }

  @Test("a host is not asked for more connections than it takes, whatever the limit of the transfer is")
  func hostCeiling() throws {
    let run = try SchedulerRun(chunks: 4096, connections: 32)
    #expect(run.startAll().count == 16)
    let two = try SchedulerRun(chunks: 4096, connections: 40, mirrors: ["http://other.example/f"])
    #expect(two.startAll().count == 32)
  }
}
