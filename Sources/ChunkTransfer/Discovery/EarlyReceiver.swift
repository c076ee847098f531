internal import ChunkHTTP
internal import ChunkSystem

/// Takes the answer to a request before it is known who wants it: keeps the head, and lets the body wait.
final class EarlyReceiver: ResponseReceiver {
  private struct State {
    var head: ResponseHead?
    var answeredAt: Instant?
    var outcome: FetchOutcome?
    var successor: (any ResponseReceiver)?
  }

  private let state = Lock(State())

  /// From now on `successor` gets the answer, and what has come of it at once.
  ///
  /// - Returns: Whether the fetch is to go on, for which it has to be resumed; else it is to be cancelled.
  func hand(to successor: any ResponseReceiver) -> Bool {
    let (isWanted, outcome) = state.withLock { state in
      let isWanted = state.head.map { successor.receive(head: $0) == .accept } ?? true
      state.successor = successor
      return (isWanted, state.outcome)
    }
    if let outcome { successor.finished(outcome) }
    return isWanted
  }

  /// How long it took to be answered; nil before it is.
  func answerTime(since start: Instant) -> Duration? {
    state.withLock { $0.answeredAt.map { start.duration(to: $0) } }
  }

  func receive(head: ResponseHead) -> HeadDecision {
    state.withLock { state in
      if let successor = state.successor { return successor.receive(head: head) }
      (state.head, state.answeredAt) = (head, Instant.now)
      return .accept
    }
  }

  func receive(body: Span<UInt8>) -> BodyDecision {
    let successor = state.withLock { $0.successor }
    return successor?.receive(body: body) ?? .pause
  }

  func finished(_ outcome: FetchOutcome) {
    let successor = state.withLock { state in
      if state.successor == nil { state.outcome = outcome }
      return state.successor
    }
    successor?.finished(outcome)
  }
}
