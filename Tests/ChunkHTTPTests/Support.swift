import ChunkHTTP
import ChunkSystem
import FaultServer

/// A receiver that keeps everything, does what a test says, and can be waited for.
final class RecordingReceiver: ResponseReceiver {
  struct State: Sendable {
    var head: ResponseHead?
    var body: [UInt8] = []
    /// How often bytes were offered.
    var offers = 0
    var outcomes: [FetchOutcome] = []
    fileprivate var waiters: [(condition: @Sendable (State) -> Bool, continuation: CheckedContinuation<State, Never>)] =
      []
  }

  private let state = Lock(State())
  private let onHead: @Sendable (ResponseHead) -> HeadDecision
  private let onBody: @Sendable (_ offer: Int, _ count: Int) -> BodyDecision
  private let onFinish: @Sendable (FetchOutcome) -> Void

  init(
    onHead: @escaping @Sendable (ResponseHead) -> HeadDecision = { _ in .accept },
    onBody: @escaping @Sendable (_ offer: Int, _ count: Int) -> BodyDecision = { _, _ in .taken },
    onFinish: @escaping @Sendable (FetchOutcome) -> Void = { _ in }
  ) {
    self.onHead = onHead
    self.onBody = onBody
    self.onFinish = onFinish
  }

  func receive(head: ResponseHead) -> HeadDecision {
    change { $0.head = head }
    return onHead(head)
  }

  func receive(body: Span<UInt8>) -> BodyDecision {
    let offer = state.withLock { $0.offers + 1 }
    let decision = onBody(offer, body.count)
    let taken =
      switch decision {
      case .taken: body.count
      case .partlyTaken(let count): count
      case .pause, .stop: 0
      }
    let bytes = unsafe body.extracting(0..<taken).withUnsafeBufferPointer { unsafe Array($0) }
    change {
      $0.offers = offer
      $0.body += bytes
    }
    return decision
  }

  func finished(_ outcome: FetchOutcome) {
    onFinish(outcome)
    change { $0.outcomes.append(outcome) }
  }

  var current: State { state.withLock { $0 } }

  /// Suspends until the condition holds.
  @discardableResult
  func wait(until condition: @escaping @Sendable (State) -> Bool) async -> State {
    await withCheckedContinuation { continuation in
      let now: State? = state.withLock { state in
        if condition(state) { return state }
        state.waiters.append((condition, continuation))
        return nil
      }
      if let now { continuation.resume(returning: now) }
    }
  }

  /// Suspends until the fetch has ended.
  func end() async -> State { await wait { !$0.outcomes.isEmpty } }

  private func change(_ body: (inout State) -> Void) {
    let (now, ready) = state.withLock { state in
      body(&state)
      let now = state
      state.waiters.removeAll { $0.condition(now) }
      return (now, now.waiters.filter { $0.condition(now) })
    }
    for waiter in ready { waiter.continuation.resume(returning: now) }
  }
}

extension CurlFetcher {
  /// Fetches something and waits for the end of it.
  func fetch(_ request: RangeRequest, _ receiver: RecordingReceiver = RecordingReceiver()) async
    -> RecordingReceiver.State
  {
    _ = start(request, receiver: receiver)
    return await receiver.end()
  }
}

extension RangeRequest {
  /// A request that no proxy of the environment gets to see.
  init(_ url: String, range: ClosedRange<UInt64>? = nil, ifRange: Validator? = nil) throws {
    var options = ConnectionOptions()
    options.proxy = .none
    self.init(url: try HTTPURL(url), range: range, ifRange: ifRange, options: options)
  }
}

extension FetchOutcome {
  /// The failure, where it is one.
  var failure: HTTPFailure? {
    if case .failed(let failure) = self { failure } else { nil }
  }
}

/// Where two byte strings first differ, or nil. `#expect` would look for the shortest way from one to the other, which for
/// a megabyte takes longer than anyone waits.
func difference(_ left: [UInt8], _ right: [UInt8]) -> Int? {
  if left == right { return nil }
  return zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset ?? min(left.count, right.count)
}
