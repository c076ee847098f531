internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// Performs what the scheduler decides.
///
/// One thread owns all of it: it takes events from the inbox, feeds them to the scheduler, and does what comes back.
/// Bytes never pass through here; they go from the loop threads over the verify threads to their place.
///
/// States of a request as seen from here: `start` → (`redirected` → `start`)* → `ended`. Its receiver tells exactly
/// one of the two last things for each fetch. `Engine+Requests` has these states, this file what happens at each event.
final class Engine {
  /// A request under way.
  struct Running {
    let receiver: SpanReceiver
    let fetch: FetchID
    var redirects: RedirectChain
    var windowStart: (bytes: UInt64, at: Instant)
  }

  var scheduler: Scheduler
  let parts: Parts
  private let stallTimeout: Duration
  var verify: VerifyStage?
  var running: [RequestID: Running] = [:]
  var fillings: [ChunkIndex: Filling] = [:]
  var counters = EngineCounters()
  var outcome: Result<Void, TransferError>?
  private var lastTick: Instant
  /// When the machine last woke up: what it slept through, nobody is to blame for.
  private var wokeAt: Instant

  private static let tickInterval = Duration.milliseconds(100)
  /// How long events that only have to be written down may wait: less than anybody notices, and much more than handling
  /// them takes.
  private static let rest = Duration.milliseconds(2)
  /// Slower than this over a whole stall time-out is a trickle, which is as good as a stall.
  static let trickleBytesPerSecond = 256.0

  init(scheduler: Scheduler, parts: Parts, stallTimeout: Duration) {
    self.scheduler = scheduler
    self.parts = parts
    self.stallTimeout = stallTimeout
    lastTick = Instant.now
    wokeAt = lastTick
  }

  /// Runs until every chunk is here, or until nothing more can be done; returns when all requests have ended and
  /// every thread that was given chunks is done with them.
  ///
  /// `early` are requests that were sent to the first source before.
  func run(
    verify: VerifyStage, early: [EarlyStart.Request] = []
  ) -> (Result<Void, TransferError>, EngineState) {
    self.verify = verify
    parts.trace?(.began(chunks: parts.geometry.chunkCount))
    for request in early { adopt(request) }
    startRequests()
    while outcome == nil || !running.isEmpty {
      let now = Instant.now
      let events = parts.inbox.takeAll(until: now.advanced(by: Self.tickInterval), rested: now.advanced(by: Self.rest))
      for event in events { perform(handle(event)) }
      tickIfDue()
      startRequests()
    }
    verify.finish()
    drain()
    fillings = [:]
    return (outcome ?? .success(()), state)
  }

  /// What the verify threads said last still counts for the report.
  private func drain() {
    for event in parts.inbox.takeAll(until: Instant.now, rested: Instant.now) { _ = handle(event) }
  }

  // MARK: Events

  func handle(_ event: EngineEvent) -> [SchedulerAction] {
    let now = Instant.now
    if let trace = parts.trace, let told = event.trace(scheduler) { trace(told) }
    switch event {
    case .found(let chunks):
      for chunk in chunks where !scheduler.here.contains(chunk) {
        counters.reusedBytes += UInt64(parts.geometry.length(of: chunk))
      }
      resumeBehindSurvey()
      return scheduler.found(chunks)
    case .wanted(let chunks):
      scheduler.want(chunks)
      resumeBehindSurvey()
      return scheduler.failIfStuck(last: nil)
    case .packed(let chunks, let isSmaller):
      scheduler.packed(chunks, isSmaller: isSmaller)
      return []
    case .packIsUnusable(let failure):
      return scheduler.packIsUnusable(failure)
    case .surveyEnded:
      return scheduler.surveyEnded()
    case .surveyFailed(let error), .placingFailed(let error), .manifestReplaced(let error):
      return scheduler.end(with: error)
    case .answered(let id):
      scheduler.answered(id, now: now)
      return []
    case .wholeBodyOffered(let id):
      return scheduler.wholeBodyOffered(id, now: now)
    case .duplicatesNamed(let places, let source):
      // Without hashes nothing could tell the versions of two sources apart.
      if parts.pages != nil { scheduler.addDuplicates(places, namedBy: source) }
      return []
    case .redirected(let id, let location, let filling, let spare):
      return redirected(id, to: location, filling: filling, spare: spare)
    case .sealed(let chunk, let id):
      scheduler.sealed(chunk, by: id)
      return []
    case .ended(let id, let end, let received, let filling):
      return ended(id, end, received, filling: filling, now: now)
    case .bufferArrived(let id):
      if let running = running[id] { parts.fetcher.resume(running.fetch) }
      return []
    case .verified(let arrival, let source):
      countVerified(arrival)
      return scheduler.verified(arrival.chunk, from: source, now: now)
    case .wrong(let arrival, let contributors):
      counters.discardedBytes += arrival.received
      return scheduler.wrong(arrival.chunk, contributors: contributors)
    case .surplus(let arrival):
      counters.discardedBytes += arrival.received
      scheduler.dropped(arrival.chunk)
      return []
    case .outputAdvanced(let chunk):
      scheduler.outputAdvanced(to: chunk)
      return []
    case .outputEnded(let error):
      return error.map { scheduler.end(with: $0) } ?? []
    case .cancelled:
      return scheduler.end(with: TransferError(.cancelled, "cancelled; what was verified is kept.", isRetryable: true))
    }
  }

  private func ended(
    _ id: RequestID, _ end: RequestEnd, _ received: ReceivedBytes, filling: Filling?, now: Instant
  ) -> [SchedulerAction] {
    running[id] = nil
    counters.endedBytes += received.payload
    counters.discardedBytes += received.discarded
    keep(filling)
    // What was kept of the chunk, which need not be what this request brought of it.
    let kept = filling.flatMap { fillings[$0.chunk] }.map { ($0.chunk, $0.buffer.filled) }
    return scheduler.ended(
      id, end, received: received.payload, discarded: received.discarded, content: received.content, fragment: kept,
      now: now)
  }

  private func countVerified(_ arrival: SealedChunk.Arrival) {
    let chunk = arrival.chunk
    if let late = fillings.removeValue(forKey: chunk) { counters.discardedBytes += UInt64(late.buffer.filled) }
    // Of two rivals that were verified at the same moment only one counts.
    if scheduler.here.contains(chunk) {
      counters.discardedBytes += arrival.received
    } else {
      counters.fetchedBytes += UInt64(parts.geometry.length(of: chunk))
      counters.usedBytes += arrival.received
      parts.pages?.completed(chunk)
    }
  }

  /// Whole bodies that had come to where the survey was may have found it gone on.
  private func resumeBehindSurvey() {
    for request in running.values where request.receiver.surveyHasGoneOn() { parts.fetcher.resume(request.fetch) }
  }

  /// Keeps what arrived of a chunk before its request broke, unless the chunk has come another way.
  private func keep(_ filling: Filling?) {
    guard let filling else { return }
    if filling.buffer.filled == 0 || fillings[filling.chunk] != nil || parts.here.contains(filling.chunk) {
      counters.discardedBytes += UInt64(filling.buffer.filled)
    } else {
      fillings[filling.chunk] = filling
    }
  }

  func dropFillings() {
    for filling in fillings.values { counters.discardedBytes += UInt64(filling.buffer.filled) }
    fillings = [:]
  }

  // MARK: Actions

  func perform(_ actions: [SchedulerAction]) {
    for action in actions {
      switch action {
      case .cancel(let id):
        running[id]?.receiver.setReason(.cancelled)
        if let running = running[id] { parts.fetcher.cancel(running.fetch) }
      case .acceptWholeBody(let id):
        running[id]?.receiver.acceptWholeBody()
        if let running = running[id] { parts.fetcher.resume(running.fetch) }
      case .follow:
        break
      case .recheckManifest:
        parts.recheckManifest()
      case .finish:
        outcome = .success(())
      case .fail(let error):
        outcome = .failure(error)
      }
    }
  }

  // MARK: Time

  private func tickIfDue() {
    let now = Instant.now
    guard lastTick.duration(to: now) >= Self.tickInterval else { return }
    if lastTick.duration(to: now) > .seconds(5) { wokeAt = now }
    lastTick = now
    var total = counters.endedBytes
    for id in running.keys {
      let received = watch(id, now: now)
      scheduler.received(received.content, by: id, now: now)
      total += received.payload
    }
    let isHeldBack =
      !running.isEmpty && running.values.allSatisfy { parts.fetcher.activity(of: $0.fetch)?.isPaused == true }
    perform(scheduler.tick(now: now, total: total, isHeldBack: isHeldBack))
    parts.observe(state)
  }

  /// Ends a request that has gone quiet or trickles; returns what it has brought. A pause of our own is no silence.
  private func watch(_ id: RequestID, now: Instant) -> ReceivedBytes {
    guard let request = running[id] else { return ReceivedBytes() }
    let received = request.receiver.received
    let bytes = received.payload
    // One that is over counts until its end has been handled, so that the total never falls.
    guard let activity = parts.fetcher.activity(of: request.fetch) else { return received }
    if activity.isPaused {
      running[id]?.windowStart = (bytes, now)
      return received
    }
    let window = max(request.windowStart.at, wokeAt).duration(to: now)
    let isTrickle = Double(bytes - request.windowStart.bytes) < Self.trickleBytesPerSecond * window.inSeconds
    if max(activity.lastActivity, wokeAt).duration(to: now) >= stallTimeout || (window >= stallTimeout && isTrickle) {
      request.receiver.setReason(.failed(.stalled(request.receiver.span.url, after: stallTimeout)))
      parts.fetcher.cancel(request.fetch)
    } else if window >= stallTimeout {
      running[id]?.windowStart = (bytes, now)
    }
    return received
  }

  private var state: EngineState {
    EngineState(
      counters: counters,
      receivedBytes: running.values.reduce(counters.endedBytes) { $0 + $1.receiver.received.payload },
      verifiedChunks: scheduler.here.count, openRequests: scheduler.openRequests, sources: scheduler.sources,
      map: ChunkMap(
        chunkCount: parts.geometry.chunkCount, here: scheduler.here, asked: scheduler.requests.values.map(\.rest)))
  }
}
