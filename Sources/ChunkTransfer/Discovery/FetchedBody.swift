internal import ChunkHTTP
internal import ChunkSystem

/// Collects one small response, for a thread that waits for it: manifests, leaf pages, digests.
final class FetchedBody: ResponseReceiver {
  struct Result: Sendable {
    var head: ResponseHead?
    /// From when the request was sent to the head of its answer.
    var answerTime = Duration.zero
    var bytes: [UInt8] = []
    var isCutAtLimit = false
  }

  /// Gets the first bytes of a body, and how long it took to be answered.
  typealias Beginning = @Sendable (Span<UInt8>, Duration) -> Void

  private let limit: Int
  private let accepts: @Sendable (ResponseHead) -> Bool
  private let onBeginning: Beginning?
  private let startedAt = Instant.now
  private let result = Lock(Result())
  private let done = WorkQueue<FetchOutcome>(limit: 1)

  /// - Parameters:
  ///   - limit: bytes after which the rest is not read.
  ///   - onBeginning: gets the first bytes when they are there and much is still to come. On a loop thread.
  ///   - accepts: whether the body behind a head is wanted.
  init(
    limit: Int, onBeginning: Beginning? = nil,
    accepts: @escaping @Sendable (ResponseHead) -> Bool
  ) {
    self.limit = limit
    self.onBeginning = onBeginning
    self.accepts = accepts
  }

  func receive(head: ResponseHead) -> HeadDecision {
    result.withLock { ($0.head, $0.answerTime) = (head, startedAt.duration(to: Instant.now)) }
    return accepts(head) ? .accept : .refuse
  }

  func receive(body: Span<UInt8>) -> BodyDecision {
    if let onBeginning, isBeginning(body.count) { onBeginning(body, result.withLock { $0.answerTime }) }
    return result.withLock { result in
      let room = min(body.count, limit - result.bytes.count)
      result.bytes += [UInt8](copying: body.extracting(first: room))
      result.isCutAtLimit = room < body.count
      return result.isCutAtLimit ? .stop : .taken
    }
  }

  private func isBeginning(_ count: Int) -> Bool {
    result.withLock { result in
      let announced = result.head?.contentLength ?? 0
      return result.bytes.isEmpty && announced >= UInt64(count + EarlyStart.leastRest)
    }
  }

  func finished(_ outcome: FetchOutcome) {
    done.push(outcome)
  }

  /// How many bytes have come so far.
  var count: Int { result.withLock { $0.bytes.count } }

  /// Waits at most until `deadline`; nil when the response is not over by then.
  func wait(until deadline: Instant) -> FetchOutcome? {
    done.pop(upTo: 1, until: deadline)?.first
  }

  func take() -> Result { result.withLock { $0 } }
}
