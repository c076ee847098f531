internal import ChunkHTTP
internal import ChunkSystem

/// Fetches something small and whole, with the retry rules of the transfer, on the calling thread.
struct SmallFetch: Sendable {
  /// What a URL answered, redirects followed.
  struct Answer: Sendable {
    let head: ResponseHead
    let bytes: [UInt8]
    /// There was more than the limit; the rest was not read.
    let isCut: Bool
    /// From when the last request was sent to the head of its answer; with a new connection where there was none.
    let answerTime: Duration
  }

  let fetcher: any RangeFetching
  let options: ConnectionOptions
  let credentials: OriginCredentials?
  let retry: RetryPolicy
  let stallTimeout: Duration
  let isCancelled: @Sendable () -> Bool

  /// - Parameters:
  ///   - url: where to begin; redirects are followed.
  ///   - range: the bytes to ask for; nil for all. The answer may still be the whole.
  ///   - version: sent as `If-Range` where it is strong.
  ///   - limit: bytes that are read at most.
  ///   - headers: for every server on the way.
  ///   - onBeginning: gets the first bytes when they are there and much is still to come. On another thread.
  /// - Returns: the answer, also one of a status that is not worth another attempt.
  /// - Throws: when every attempt failed, with the last failure.
  func get(
    _ url: HTTPURL, range: ClosedRange<UInt64>? = nil, version: Validator? = nil, limit: Int,
    headers: [HeaderField] = [], onBeginning: FetchedBody.Beginning? = nil
  ) throws(SmallFetchError) -> Answer {
    var failures = 0
    var random = SplitMix(state: UInt64(bitPattern: Int64(limit)))
    var request = RangeRequest(
      url: url, range: range, ifRange: version, headers: headers, credentials: credentials, options: options)
    while true {
      do throws(HTTPFailure) {
        return try attempt(request, limit: limit, onBeginning)
      } catch {
        if isCancelled() { throw .cancelled }
        if error.code == .http2Required, request.options.version != .http2, !options.isHTTP1Only {
          request.options.version = .http2
          continue
        }
        failures += 1
        guard error.isRetryable, failures <= retry.attempts else { throw .failed(error) }
        let pause = retry.pause(afterFailures: failures, jitter: random.unit(), serverAsked: error.retryAfter)
        guard pause <= retry.patience else { throw .failed(error) }
        try rest(until: Instant.now.advanced(by: pause))
      }
    }
  }

  /// Waits, as between two attempts.
  func rest(until deadline: Instant) throws(SmallFetchError) {
    while Instant.now < deadline {
      if isCancelled() { throw .cancelled }
      DedicatedThread.pause(for: min(.milliseconds(100), Instant.now.duration(to: deadline)))
    }
  }

  private func attempt(
    _ original: RangeRequest, limit: Int, _ onBeginning: FetchedBody.Beginning?
  ) throws(HTTPFailure) -> Answer {
    var redirects = RedirectChain(start: original.url, limit: options.maximumRedirects)
    var request = original
    while true {
      let body = FetchedBody(limit: limit, onBeginning: onBeginning) { $0.status < 300 }
      let outcome = try wait(for: body, id: fetcher.start(request, receiver: body), url: request.url)
      let result = body.take()
      guard let head = result.head else {
        if case .failed(let failure) = outcome { throw failure }
        throw .stalled(request.url, after: stallTimeout)
      }
      switch RangeAnswer.judge(head, for: request) {
      case .redirect(let location):
        request.url = try redirects.follow(location)
        continue
      case .unusable(let failure):
        throw failure
      case .status(let failure) where failure.isRetryable || failure.code == .http2Required:
        throw failure
      case .body(let start, _, _) where head.status == 206:
        // It may begin earlier, at a boundary of the server's own.
        let wanted = request.range?.lowerBound ?? 0
        guard start <= wanted else { throw .unusableRange(head) }
        if case .failed(let failure) = outcome { throw failure }
        let skipped = Int(min(wanted - start, UInt64(result.bytes.count)))
        return Answer(
          head: head, bytes: Array(result.bytes[skipped...]), isCut: result.isCutAtLimit, answerTime: result.answerTime)
      default:
        break
      }
      if case .failed(let failure) = outcome { throw failure }
      return Answer(head: head, bytes: result.bytes, isCut: result.isCutAtLimit, answerTime: result.answerTime)
    }
  }

  private func wait(for body: FetchedBody, id: FetchID, url: HTTPURL) throws(HTTPFailure) -> FetchOutcome {
    var window = (count: 0, start: Instant.now)
    while true {
      if let outcome = body.wait(until: Instant.now.advanced(by: .milliseconds(100))) { return outcome }
      let now = Instant.now
      let lastActivity = fetcher.activity(of: id)?.lastActivity ?? now
      let age = window.start.duration(to: now)
      let isTrickle =
        age >= stallTimeout && Double(body.count - window.count) < Engine.trickleBytesPerSecond * age.inSeconds
      if isTrickle || lastActivity.duration(to: now) >= stallTimeout || isCancelled() {
        fetcher.cancel(id)
        while body.wait(until: Instant.now.advanced(by: .seconds(1))) == nil {}
        throw .stalled(url, after: stallTimeout)
      }
      if age >= stallTimeout { window = (body.count, now) }
    }
  }
}

enum SmallFetchError: Error {
  case failed(HTTPFailure)
  case cancelled
}

extension TransferError {
  /// What a fetch that failed means for the transfer, where nothing else can be done.
  init(_ error: SmallFetchError) {
    switch error {
    case .cancelled: self.init(.cancelled, "cancelled.", isRetryable: true)
    case .failed(let failure): self.init(.unreachable, failure.message, isRetryable: failure.isRetryable)
    }
  }
}
