internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// One response after the other from front to back, for what has no known length or must come out in order unverified.
struct SequentialFetch {
  let transfer: Transfer
  let network: Network
  let meter: ProgressMeter
  /// What was handed on cannot be taken back, so a broken response must be gone on with; else it starts again from 0.
  let isResumable: Bool

  /// Hands on pieces of the file in order, on the calling thread. Returns when the file is complete.
  func run(
    _ use: (_ bytes: Span<UInt8>, _ offset: UInt64) throws(StoreError) -> Void
  ) throws(TransferError) -> EngineState {
    var counters = EngineCounters()
    var version: Validator?
    var failures = 0
    while true {
      let start = isResumable ? counters.fetchedBytes : 0
      if !isResumable { counters.fetchedBytes = 0 }
      let body = QueuedBody(start: start, version: version)
      let end = try attempt(from: start, version: version, body: body, &counters, use)
      version = version ?? body.version
      guard case .failed(let failure) = end else { return state(counters) }
      // What starts again from the first byte has gained nothing.
      failures = isResumable && counters.fetchedBytes > start ? 1 : failures + 1
      let canGoOn = !isResumable || counters.fetchedBytes == 0 || version?.isStrong == true
      guard failure.isRetryable, failures <= network.retry.attempts, canGoOn else {
        throw TransferError(
          failure.isSourceChange ? .sourceChanged : .unreachable, failure.message, isRetryable: failure.isRetryable)
      }
      let pause = network.retry.pause(afterFailures: failures, jitter: 0.5, serverAsked: failure.retryAfter)
      do throws(SmallFetchError) {
        try network.smallFetch.rest(until: Instant.now.advanced(by: pause))
      } catch {
        throw TransferError(error)
      }
    }
  }

  private func attempt(
    from start: UInt64, version: Validator?, body: QueuedBody, _ counters: inout EngineCounters,
    _ use: (_ bytes: Span<UInt8>, _ offset: UInt64) throws(StoreError) -> Void
  ) throws(TransferError) -> FetchOutcome {
    var redirects = RedirectChain(start: transfer.url, limit: network.connection.maximumRedirects)
    var request = RangeRequest(
      url: transfer.url, ifRange: version, credentials: network.credentials, options: network.connection)
    if start > 0 { request.range = start...(UInt64.max / 2) }
    while true {
      counters.requests += 1
      body.begin(request)
      let id = network.fetcher.start(request, receiver: body)
      let end = try drain(body, id: id, &counters, use)
      guard let location = body.takeRedirect() else { return end }
      do throws(HTTPFailure) { request.url = try redirects.follow(location) } catch { return .failed(error) }
    }
  }

  private func drain(
    _ body: QueuedBody, id: FetchID, _ counters: inout EngineCounters,
    _ use: (_ bytes: Span<UInt8>, _ offset: UInt64) throws(StoreError) -> Void
  ) throws(TransferError) -> FetchOutcome {
    var failure: TransferError?
    while true {
      switch body.next(until: Instant.now.advanced(by: .milliseconds(100))) {
      case .bytes(let bytes):
        guard failure == nil else { continue }
        do throws(StoreError) {
          try use(bytes.span, counters.fetchedBytes)
          counters.fetchedBytes += UInt64(bytes.count)
          network.fetcher.resume(id)
        } catch {
          failure = error.code == .cancelled ? TransferError(.outputClosed, error.description) : TransferError(error)
          network.fetcher.cancel(id)
        }
      case .end(let outcome):
        if let failure { throw failure }
        return outcome
      case nil:
        if transfer.cancellation.isCancelled, failure == nil {
          failure = TransferError(.cancelled, "cancelled.", isRetryable: true)
          network.fetcher.cancel(id)
        } else if let activity = network.fetcher.activity(of: id), !activity.isPaused,
          activity.lastActivity.duration(to: Instant.now) >= transfer.options.stallTimeout
        {
          body.setFailure(.stalled(transfer.url, after: transfer.options.stallTimeout))
          network.fetcher.cancel(id)
        }
      }
      meter.tell(.fetching, state(counters))
    }
  }

  private func state(_ counters: EngineCounters) -> EngineState {
    var counters = counters
    counters.usedBytes = counters.fetchedBytes
    return EngineState(
      counters: counters, receivedBytes: counters.fetchedBytes, verifiedChunks: 0, openRequests: 1, sources: [])
  }
}

/// A body whose pieces wait, bounded, for the thread that uses them.
private final class QueuedBody: ResponseReceiver {
  enum Item: Sendable {
    case bytes([UInt8])
    case end(FetchOutcome)
  }

  private struct State {
    var request: RangeRequest?
    var version: Validator?
    var location: String?
    var failure: HTTPFailure?
    /// Bytes at the front of the body that were used before.
    var surplus: UInt64 = 0
  }

  private let start: UInt64
  private let state: Lock<State>
  /// Pieces of at most 16 KiB, so 1 MiB; one place more is left for the end.
  private let items = WorkQueue<Item>(limit: 65)

  init(start: UInt64, version: Validator?) {
    self.start = start
    state = Lock(State(version: version))
  }

  var version: Validator? { state.withLock(\.version) }

  func begin(_ request: RangeRequest) { state.withLock { $0.request = request } }

  func takeRedirect() -> String? {
    state.withLock { state in
      defer { state.location = nil }
      return state.location
    }
  }

  func setFailure(_ failure: HTTPFailure) { state.withLock { $0.failure = $0.failure ?? failure } }

  /// The next piece or the end, waiting until the deadline.
  func next(until deadline: Instant) -> Item? { items.pop(upTo: 1, until: deadline)?.first }

  func receive(head: ResponseHead) -> HeadDecision {
    state.withLock { state in
      guard let request = state.request else { return .refuse }
      switch RangeAnswer.judge(head, for: request) {
      case .body(let first, _, _): return accept(head, from: first, &state)
      case .wholeBody: return accept(head, from: 0, &state)
      case .redirect(let location): state.location = location
      case .notSatisfiable(let total): state.failure = .notSatisfiable(head, total: total, expected: start)
      case .unusable(let failure), .status(let failure): state.failure = failure
      }
      return .refuse
    }
  }

  private func accept(_ head: ResponseHead, from first: UInt64, _ state: inout State) -> HeadDecision {
    if let version = state.version, start > 0, head.validator?.isSameVersion(as: version) != true {
      state.failure = .changed(head, "it has another ETag or date")
      return .refuse
    }
    state.version = head.validator
    state.surplus = start - first
    return .accept
  }

  func receive(body: Span<UInt8>) -> BodyDecision {
    if items.count >= 64 { return .pause }
    let skipped = state.withLock { state in
      let skipped = min(UInt64(body.count), state.surplus)
      state.surplus -= skipped
      return Int(skipped)
    }
    let rest = body.extracting(skipped..<body.count)
    if !rest.isEmpty { items.push(.bytes([UInt8](copying: rest))) }
    return .taken
  }

  func finished(_ outcome: FetchOutcome) {
    let failure = state.withLock(\.failure)
    items.push(.end(failure.map { .failed($0) } ?? outcome))
  }
}
