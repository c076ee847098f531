import ChunkCore
import ChunkHTTP
import ChunkStore
import Testing

@testable import ChunkTransfer

/// Which form a chunk is asked for in.
struct SchedulerFormTests {
  private let half = ChunkIndex(64)

  /// 128 chunks, of which a pack makes the first 64 smaller.
  private func run(connections: Int = 4) throws -> (run: SchedulerRun, pack: SourceID) {
    let run = try SchedulerRun(chunks: 128, connections: connections)
    let pack = run.scheduler.addSource(try HTTPURL("http://origin.example/f.zst"), form: .pack)
    run.scheduler.packed(ChunkIndex(0)..<half, isSmaller: true)
    run.scheduler.packed(half..<ChunkIndex(128), isSmaller: false)
    return (run, pack)
  }

  @Test("each asks for its own, however long the other takes")
  func share() throws {
    let (run, pack) = try run()
    var chunks: [SourceID: Int] = [:]
    var requests = 0
    while case let spans = run.startAll(), !spans.isEmpty {
      for span in spans {
        requests += 1
        chunks[span.source, default: 0] += span.chunks.count
        #expect((span.chunks.upperBound <= half) == (span.source == pack))
        #expect((span.form == .pack) == (span.source == pack))
        run.deliver(span)
      }
    }
    #expect(chunks == [SourceID(rawValue: 0): 64, pack: 64])
    #expect(run.outcome == .finish)
    #expect(requests < 40)
  }

  @Test("a pack that fails leaves all to the file, and a file that fails all to the pack", arguments: [true, false])
  func failure(_ isPack: Bool) throws {
    let (run, pack) = try run()
    let bad = isPack ? pack : SourceID(rawValue: 0)
    var rounds = 0
    while case let spans = run.startAll(), !spans.isEmpty, rounds < 200 {
      rounds += 1
      for span in spans { span.source == bad ? run.fail(span, run.forbidden) : run.deliver(span) }
    }
    #expect(run.outcome == .finish)
  }

  @Test("when the places in the pack are impossible, its requests end and the file has all")
  func unusable() throws {
    let (run, pack) = try run()
    let spans = run.startAll()
    let cancelled = run.scheduler.packIsUnusable(run.forbidden).filter { $0 != .finish }
    #expect(cancelled.count == spans.count { $0.source == pack })
    for span in spans where span.source == pack {
      run.apply(run.scheduler.ended(span.id, .cancelled, received: 0, fragment: nil, now: run.now))
    }
    for span in spans where span.source != pack { run.deliver(span) }
    while case let more = run.startAll(), !more.isEmpty {
      for span in more {
        #expect(span.source != pack)
        run.deliver(span)
      }
    }
    #expect(run.outcome == .finish)
  }

  @Test("a chunk that came wrong from the pack is asked of the file, alone")
  func wrong() throws {
    let (run, pack) = try run(connections: 1)
    var span = try #require(run.start())
    while span.source != pack {
      run.deliver(span)
      span = try #require(run.start())
    }
    let first = span.chunks.lowerBound
    run.answer(span)
    run.scheduler.sealed(first, by: span.id)
    run.apply(run.scheduler.wrong(first, contributors: [pack]))
    for chunk in span.chunks.dropFirst() { run.verify(chunk, of: span) }
    run.apply(run.scheduler.ended(span.id, .complete, received: 1000, fragment: nil, now: run.now))
    var asked: [SourceID] = []
    while let next = run.start() {
      if next.chunks.contains(first) {
        asked.append(next.source)
        #expect(next.chunks.count == 1)
      }
      run.deliver(next)
    }
    #expect(asked == [SourceID(rawValue: 0)])
    #expect(run.outcome == .finish)
  }

  @Test("a store is asked for one chunk at a time, in the form that was there last, then in the other")
  func store() throws {
    let run = try SchedulerRun(chunks: 4, connections: 1)
    let store = run.scheduler.addSource(try HTTPURL("http://store.example/s"), form: .store)
    run.fail(try #require(run.start()), run.forbidden)
    func missing(_ span: SpanRequest) {
      run.apply(run.scheduler.ended(span.id, .missing, received: 0, fragment: nil, now: run.now))
    }
    let first = try #require(run.start())
    #expect(first.source == store && first.chunks.count == 1 && first.form == .object(.plain))
    missing(first)
    let second = try #require(run.start())
    #expect(second.chunks == first.chunks && second.form == .object(.compressed))
    run.deliver(second)
    let third = try #require(run.start())
    #expect(third.form == .object(.compressed))
    missing(third)
    let fourth = try #require(run.start())
    #expect(fourth.chunks == third.chunks && fourth.form == .object(.plain))
    missing(fourth)
    // The store lacks this one, and nobody else is left who could have it.
    guard case .fail(let error) = run.outcome else { return #expect(Bool(false), "\(String(describing: run.outcome))") }
    #expect(error.message.contains("chunk 1"))
  }

  @Test("a chunk that the only store lacks is the end, when it is all that is missing")
  func nobody() throws {
    let run = try SchedulerRun(chunks: 2, connections: 1)
    run.scheduler.addSource(try HTTPURL("http://store.example/s"), form: .store)
    run.fail(try #require(run.start()), run.forbidden)
    while let span = run.start() {
      if span.chunks.contains(ChunkIndex(0)) {
        run.apply(run.scheduler.ended(span.id, .missing, received: 0, fragment: nil, now: run.now))
      } else {
        run.deliver(span)
      }
    }
    guard case .fail(let error) = run.outcome else { return #expect(Bool(false), "\(String(describing: run.outcome))") }
    #expect(error.code == .noRightBytes)
  }

  @Test("what a fast store lacks is asked of a file that is slow beside it")
  func lackedByTheFast() throws {
    let run = try SchedulerRun(chunks: 40, connections: 2)
    let store = run.scheduler.addSource(try HTTPURL("http://store.example/s"), form: .store)
    for index in 0..<2 { run.scheduler.sources[index].recordAnswer(after: 0.01) }
    run.scheduler.sources[0].recordRate(bytes: 1 << 20, over: 10)
    run.scheduler.sources[1].recordRate(bytes: 1 << 30, over: 10)
    for chunk in [5, 6, 30] { run.scheduler.sources[store.rawValue].missing.insert(ChunkIndex(chunk)) }
    var askedOfFile: Set<Int> = []
    while let span = run.start() {
      if span.source != store { askedOfFile.formUnion(span.chunks.map(\.rawValue)) }
      run.deliver(span)
    }
    #expect(run.outcome == .finish)
    #expect(askedOfFile.isSuperset(of: [5, 6, 30]))
  }

  @Test("part of a chunk that a file began is gone on with by another one, whatever the pack could save")
  func fragment() throws {
    let run = try SchedulerRun(chunks: 64, connections: 1, mirrors: ["http://mirror.example/f"])
    let first = try #require(run.start())
    run.answer(first)
    run.scheduler.addSource(try HTTPURL("http://origin.example/f.zst"), form: .pack)
    run.scheduler.packed(run.scheduler.geometry.chunks, isSmaller: true)
    run.apply(
      run.scheduler.ended(
        first.id, .failed(run.forbidden), received: 1000, fragment: (first.chunks.lowerBound, 1000), now: run.now))
    var sources: Set<Int> = []
    while let span = run.start() {
      sources.insert(span.source.rawValue)
      run.deliver(span)
    }
    #expect(run.outcome == .finish)
    #expect(sources.isSubset(of: [1, 2]))
  }

  @Test("two that race for an object and both find it absent do not make it missing in the other form")
  func racedObject() throws {
    let run = try SchedulerRun(chunks: 1, connections: 2)
    let store = run.scheduler.addSource(try HTTPURL("http://store.example/s"), form: .store)
    run.fail(try #require(run.start()), run.forbidden)
    let first = try #require(run.start())
    let rival = run.scheduler.open(chunks: first.chunks, at: store, now: run.now)
    for span in [first, rival] {
      run.apply(run.scheduler.ended(span.id, .missing, received: 0, fragment: nil, now: run.now))
    }
    let other = try #require(run.start())
    #expect(other.form == .object(.compressed))
  }

  @Test("what was asked for early is asked of a store only when the survey knows it")
  func notSurveyed() throws {
    let geometry = try ChunkGeometry(fileLength: 64 * 262_144, chunkSize: .standard)
    let run = try SchedulerRun(chunks: 64)
    run.scheduler = Scheduler(geometry: geometry, settings: run.scheduler.settings, now: run.now, seed: 1)
    run.scheduler.addSource(run.url)
    let store = run.scheduler.addSource(try HTTPURL("http://store.example/s"), form: .store)
    let early = run.scheduler.adopt(ChunkIndex(0)..<ChunkIndex(64), sentAt: run.now)
    run.fail(early, run.forbidden)
    #expect(run.start() == nil && run.outcome == nil)
    run.scheduler.want(geometry.chunks)
    let span = try #require(run.start())
    #expect(span.source == store)
  }

  @Test("sets find what is in both, and what is in one alone", arguments: [0, 1, 63, 64, 65, 127, 200])
  func sets(_ start: Int) {
    var (set, other) = (ChunkSet(capacity: 256), ChunkSet(capacity: 256))
    for index in stride(from: 0, to: 256, by: 3) { set.insert(ChunkIndex(index)) }
    for index in stride(from: 0, to: 256, by: 5) { other.insert(ChunkIndex(index)) }
    let from = ChunkIndex(start)
    #expect(set.first(atOrAfter: from, within: other)?.rawValue == (start..<256).first { $0 % 15 == 0 })
    #expect(set.first(atOrAfter: from, outside: other)?.rawValue == (start..<256).first { $0 % 3 == 0 && $0 % 5 != 0 })
  }
}
