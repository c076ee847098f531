/// Names one fetch for as long as its fetcher lives.
package struct FetchID: Hashable, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Starts requests and hands their answers to receivers. Any thread may call any of these at any time, from inside a
/// receiver too; none of them waits.
package protocol RangeFetching: Sendable {
  /// Sends a request. Everything that goes wrong, from the first step on, is told to the receiver.
  func start(_ request: RangeRequest, receiver: any ResponseReceiver) -> FetchID

  /// Goes on with a fetch its receiver paused. One that is not paused, or has ended, stays as it is. A pause that was
  /// decided before this call is ended by it, even if the decision has not been returned yet.
  func resume(_ id: FetchID)

  /// Ends a fetch. Its receiver is told `.cancelled`, unless it has ended in another way before.
  func cancel(_ id: FetchID)

  /// What a fetch has done so far; nil once it has ended.
  func activity(of id: FetchID) -> FetchActivity?
}
