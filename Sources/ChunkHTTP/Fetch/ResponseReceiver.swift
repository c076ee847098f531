/// Takes one answer. Called by one thread of the fetcher at a time, in the order head, body, `finished`; an answer may
/// fail before any of it. All requests of that thread wait for the call, so it must not block.
package protocol ResponseReceiver: AnyObject, Sendable {
  /// The final answer's head; interim answers are not shown. Called at most once.
  func receive(head: ResponseHead) -> HeadDecision

  /// Bytes of the body, in order, without gap. Valid during the call.
  func receive(body: Span<UInt8>) -> BodyDecision

  /// The end. Called exactly once, last.
  func finished(_ outcome: FetchOutcome)
}

package enum HeadDecision: Hashable, Sendable {
  case accept
  /// Nothing of the body is wanted. A long one is not read, which costs the connection; a short one is read and thrown
  /// away, if it comes at once.
  case refuse
}

package enum BodyDecision: Hashable, Sendable {
  /// All of it was taken.
  case taken
  /// None of it was taken, and no more comes until the fetch is resumed; then the same bytes come again, perhaps
  /// divided otherwise.
  case pause
  /// The first bytes, so many, were taken. If that was not all, the fetch is paused, and the rest comes after it is
  /// resumed.
  case partlyTaken(Int)
  /// Enough: the fetch ends.
  case stop
}

package enum FetchOutcome: Sendable, Equatable {
  /// The whole body was taken: as many bytes as the head announced.
  case complete
  /// The receiver refused it.
  case refused
  /// The receiver stopped it.
  case stopped
  case cancelled
  case failed(HTTPFailure)
}
