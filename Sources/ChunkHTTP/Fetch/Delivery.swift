/// Carries one answer to its receiver as it comes in: collects the head, asks the receiver, counts, and sees to it that
/// the body is neither shorter nor longer than announced. Knows nothing of who brings the bytes.
///
/// Of one thread only. States: waiting for the head → body → decided. Once decided nothing is delivered any more.
package final class Delivery {
  package enum Step: Hashable {
    case goOn
    /// The bytes were not taken, or not all; all of them have to come again.
    case pause
    /// The transfer has to end; `outcome(transport:)` says why.
    case end
  }

  package enum Pause: Hashable {
    case byReceiver
    case byRate
  }

  /// A body that was refused and is no longer than this may be read and thrown away if that saves the connection.
  package static let drainLimit: UInt64 = 16 * 1024

  private let request: RangeRequest
  private let receiver: any ResponseReceiver
  private let meter: FetchMeter
  private let limit: RateLimit?

  private var block = HeaderBlock()
  package private(set) var head: ResponseHead?
  private var decision: FetchOutcome?
  /// Bytes of the body taken, and how many there must be.
  private var taken: UInt64 = 0
  private var expected: UInt64?
  /// Bytes taken at the beginning of what comes again after a pause.
  private var takenInAdvance = 0
  package private(set) var pause: Pause?
  /// The rest of the body is read only to keep the connection.
  package private(set) var isDraining = false

  package var url: HTTPURL { request.url }

  /// Others may be on the same connection at the same time.
  package var isMultiplexed: Bool { request.options.version == .http2 }

  package init(request: RangeRequest, receiver: any ResponseReceiver, meter: FetchMeter, limit: RateLimit?) {
    self.request = request
    self.receiver = receiver
    self.meter = meter
    self.limit = limit
  }

  // MARK: Head

  package func receive(headerLine line: Span<UInt8>) -> Step {
    guard decision == nil else { return .end }
    do {
      guard case .head(let status, let version, let fields) = try block.append(line: line) else { return .goOn }
      return receive(ResponseHead(status: status, version: version, url: request.url, headers: fields))
    } catch {
      decision = .failed(.badHeader(error, url: request.url))
      return .end
    }
  }

  private func receive(_ head: ResponseHead) -> Step {
    self.head = head
    meter.receivedHead()
    switch receiver.receive(head: head) {
    case .accept:
      expected = request.method == .get ? Self.announcedLength(head) : nil
      return .goOn
    case .refuse:
      decision = .refused
      isDraining = request.method == .head || head.contentLength.map { $0 <= Self.drainLimit } ?? false
      return isDraining ? .goOn : .end
    }
  }

  private static func announcedLength(_ head: ResponseHead) -> UInt64? {
    if let length = head.contentLength { return length }
    if head.status == 206, case .one(.range(let first, let last, _)) = head.contentRange { return last - first + 1 }
    return nil
  }

  // MARK: Body

  package func receive(body: Span<UInt8>) -> Step {
    if isDraining { return .goOn }
    guard decision == nil else { return .end }
    guard takenInAdvance < body.count else {
      takenInAdvance -= body.count
      return .goOn
    }
    if let limit, !limit.isOpen { return pause(.byRate) }
    let room = expected.map { $0 - taken } ?? .max
    let count = min(body.count - takenInAdvance, Int(clamping: room))
    let fresh = body.extracting(takenInAdvance..<(takenInAdvance + count))
    if count > 0 {
      switch receiver.receive(body: fresh) {
      case .taken: account(for: count)
      case .pause: return pause(.byReceiver)
      case .partlyTaken(let part):
        precondition((0...count).contains(part), "a receiver took more than there was")
        account(for: part)
        if part < count {
          takenInAdvance += part
          return pause(.byReceiver)
        }
      case .stop:
        decision = .stopped
        return .end
      }
    }
    guard takenInAdvance + count == body.count else {
      decision = .failed(.longBody(request.url))
      return .end
    }
    takenInAdvance = 0
    return .goOn
  }

  private func account(for bytes: Int) {
    taken += UInt64(bytes)
    meter.took(bytes)
    limit?.spend(bytes)
  }

  private func pause(_ pause: Pause) -> Step {
    self.pause = pause
    meter.paused()
    return .pause
  }

  package func resume() {
    pause = nil
    meter.resumed()
  }

  // MARK: End

  /// How the fetch ended, given how its transport did: nil for without a fault.
  package func outcome(transport failure: HTTPFailure?) -> FetchOutcome {
    if let decision { return decision }
    if let failure { return .failed(failure) }
    guard head != nil else { return .failed(.noAnswer(request.url)) }
    if let expected, taken < expected { return .failed(.shortBody(request.url, taken: taken, expected: expected)) }
    return .complete
  }

  /// Tells the receiver; the last call.
  package func finish(_ outcome: FetchOutcome) { receiver.finished(outcome) }
}
