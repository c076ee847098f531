internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// What happens to requests: answers, redirects, ends, silence.
extension Scheduler {
  /// The range that was asked for is coming.
  mutating func answered(_ id: RequestID, now: Instant) {
    guard let request = requests[id] else { return }
    let source = request.span.source.rawValue
    if case .object(let form) = request.span.form {
      sources[source].usualForm = form
    } else if !request.span.isWholeFile {
      sources[source].hasGivenRanges = true
      sources[source].rangesRefusedInARow = 0
    }
    settle(id, now: now)
  }

  /// The answer was a redirect that the rules allow.
  mutating func redirected(_ id: RequestID, to url: HTTPURL) -> [SchedulerAction] {
    guard let request = requests[id] else { return [] }
    let source = request.span.source.rawValue
    // Each object has a place of its own.
    if case .object = request.span.form { return [.follow(id, url: url)] }
    sources[source].resolvedURL = url
    sources[source].generation = max(1, sources[source].generation)
    requests[id]?.isResolver = true
    requests[id]?.generation = sources[source].generation
    return [.follow(id, url: url)]
  }

  /// A range was asked for and the whole file is coming. Taken only if there is nothing better: another source that
  /// knows ranges, or this one, if it has known them before and only one of its nodes does not.
  mutating func wholeBodyOffered(_ id: RequestID, now: Instant) -> [SchedulerAction] {
    guard let request = requests[id] else { return [] }
    let source = request.span.source.rawValue
    settle(id, now: now)
    if mayStillGiveRanges(source, now: now) { return [.cancel(id)] }
    giveBack(request)
    sources[source].givesWholeBodiesOnly = true
    let others = requests.values.filter { $0.span.source == request.span.source && $0.span.id != id }
    guard !rangeSourceIsActive, !others.contains(where: \.hasHead) else { return [.cancel(id)] }
    requests[id]?.next = ChunkIndex(0)
    requests[id]?.end = geometry.chunks.upperBound
    requests[id]?.isStream = true
    return others.map(\.span.id).sorted().map { .cancel($0) } + [.acceptWholeBody(id)]
  }

  /// A source has answered a range with something else. It is asked again if it has known ranges before, as perhaps only
  /// one of its nodes does not.
  private mutating func mayStillGiveRanges(_ source: Int, now: Instant) -> Bool {
    sources[source].rangesRefusedInARow += 1
    guard sources[source].hasGivenRanges, sources[source].rangesRefusedInARow < 3 else { return false }
    sources[source].notBefore = now.advanced(by: settings.retry.firstPause)
    return true
  }

  private mutating func settle(_ id: RequestID, now: Instant) {
    guard let request = requests[id] else { return }
    let source = request.span.source.rawValue
    requests[id]?.answeredAt = now
    requests[id]?.isResolver = false
    if sources[source].resolver == id { sources[source].resolver = nil }
    sources[source].recordAnswer(after: request.startedAt.duration(to: now).inSeconds)
    observeHost(of: request.span.source, now: now)
  }

  /// A request is over. Of the bytes it received, the discarded ones were of no use; `fragment` is the number of bytes of
  /// the next chunk that stay with the engine. `content` is what came counted in bytes of the file, where that is something else.
  mutating func ended(
    _ id: RequestID, _ end: RequestEnd, received: UInt64, discarded: UInt64 = 0, content: UInt64? = nil,
    fragment: (chunk: ChunkIndex, bytes: Int)?, now: Instant
  ) -> [SchedulerAction] {
    guard let request = requests.removeValue(forKey: id) else { return [] }
    let index = request.span.source.rawValue
    sources[index].open -= 1
    // One that was cut short has lost its connection.
    if case .complete = end, request.end == request.span.chunks.upperBound { sources[index].idleConnections += 1 }
    sources[index].receivedBytes += received
    measure(request, received: content ?? received, now: now)
    if sources[index].resolver == id { sources[index].resolver = nil }
    if let fragment, fragment.bytes > 0, !here.contains(fragment.chunk) {
      fragments[fragment.chunk] = Fragment(bytes: fragment.bytes, source: request.span.source)
    }
    if !request.isStream { giveBack(request) }
    guard !isOver else { return [] }
    switch end {
    case .complete where isEmptyHanded(request, gained: received - min(received, discarded)):
      let failure = HTTPFailure.emptyHanded(request.span.url)
      note(failure, of: request, gained: 0, now: now)
      return failIfStuck(last: failure)
    case .complete, .cancelled:
      return checkFinished() + failIfStuck(last: nil)
    case .missing:
      isMissing(request)
      return failIfStuck(last: nil)
    case .changed(let failure):
      sources[index].standing = .failed(failure)
      return failIfStuck(last: failure)
    case .failed(let failure):
      // A stream starts again from its first byte, so it keeps no part of a chunk.
      let useless = discarded + (request.isStream ? UInt64(fragment?.bytes ?? 0) : 0)
      note(failure, of: request, gained: received > useless ? received - useless : 0, now: now)
      return failIfStuck(last: failure)
    }
  }

  /// An answer may be shorter than the range it was asked for, but not so short that nothing but requests is made of it.
  private func isEmptyHanded(_ request: OpenRequest, gained: UInt64) -> Bool {
    let asked = request.span.endByte - request.span.firstByte
    return request.next == request.span.chunks.lowerBound && gained < min(settings.retry.worthwhile, asked / 16)
      && request.rest.contains { !here.contains($0) && !limbo.contains($0) }
  }

  /// What an open request has brought so far, in bytes of the file; told before each tick.
  mutating func received(_ bytes: UInt64, by id: RequestID, now: Instant) {
    guard let request = requests[id] else { return }
    measure(request, received: bytes, now: now)
    requests[id]?.received = bytes
    if request.hasHead {
      requests[id]?.rate.record(total: bytes, at: request.startedAt.duration(to: now).inSeconds)
    }
  }

  /// Adds what came since the last tick to the rate of the source. The wait for an answer is not the line's fault; but of
  /// objects each has one of its own, and what is told of a small one is that it came and is over.
  private mutating func measure(_ request: OpenRequest, received: UInt64, now: Instant) {
    guard let answeredAt = request.answeredAt, received >= request.received else { return }
    let begun = if case .object = request.span.form { request.startedAt } else { answeredAt }
    let seconds = max(begun, lastTick).duration(to: now).inSeconds
    sources[request.span.source.rawValue].recordRate(bytes: received - request.received, over: seconds)
  }

  /// Time passes. A transfer that has gone nowhere for too long ends.
  ///
  /// - Parameters:
  ///   - now: the time.
  ///   - total: payload bytes that have arrived so far.
  ///   - isHeldBack: every open request waits for us, so nobody else is to blame for the silence.
  /// - Returns: the end of the transfer, or nothing.
  mutating func tick(now: Instant, total: UInt64, isHeldBack: Bool = false) -> [SchedulerAction] {
    guard !isOver else { return [] }
    let nextWanted = wanted.first(atOrAfter: ChunkIndex(0))
    let waitsForReader = requests.isEmpty && nextWanted.map { $0 >= schedulableEnd } == true
    if isHeldBack || waitsForReader { lastGain = now }
    lastTick = now
    concurrency.record(
      ConcurrencyLimit.Sample(
        total: total, now: now, roundTrip: sources.compactMap(\.roundTrip).max(), isLimiting: isLimiting,
        left: UInt64(wanted.count) * UInt64(geometry.chunkSize.bytes), ceiling: hostsAllow))
    if lastGain.duration(to: now) >= settings.retry.patience, !wanted.isEmpty || !requests.isEmpty {
      return end(
        with: TransferError(
          .unreachable,
          "no verified chunk for \(settings.retry.patience.inSeconds.rounded()) seconds; what is here is kept. Try "
            + "again later, or give another source with --mirror.",
          isRetryable: true))
    }
    return cancelSurplus()
  }

  /// The limit was lowered: the youngest requests end, as they have least to lose. What has come of them is kept, and
  /// one that is about to end may.
  private func cancelSurplus() -> [SchedulerAction] {
    let surplus = requests.count - connectionLimit
    guard surplus > 0, concurrency.endsSurplus else { return [] }
    let victims = requests.values.filter { !$0.isRaced && !$0.isStream && !$0.isResolver && secondsLeft($0) > 1 }
    return victims.map(\.span.id).sorted().suffix(surplus).map { .cancel($0) }
  }

  /// When something will be due even if no event comes: a pause that ends.
  func nextDeadline(after now: Instant) -> Instant? {
    (sources.map(\.notBefore) + hosts.values.map(\.closedUntil)).compactMap { $0 }.filter { $0 > now }.min()
  }

  /// Every chunk of the undelivered rest that nobody else covers is wanted again (invariant 3).
  private mutating func giveBack(_ request: OpenRequest) {
    requests[request.span.id]?.end = request.next
    for chunk in request.rest where !here.contains(chunk) && !limbo.contains(chunk) && !isCovered(chunk) {
      wanted.insert(chunk)
    }
  }

  private mutating func note(_ failure: HTTPFailure, of request: OpenRequest, gained: UInt64, now: Instant) {
    let index = request.span.source.rawValue
    // Requests that were open together are all refused so; only one that spoke HTTP/2 already has failed.
    if failure.code == .http2Required, !request.span.usesHTTP2 {
      sources[index].needsHTTP2 = true
      return
    }
    if failure.mayBeExpiredLink {
      // Somebody else has noticed, and asked the original again, since this request was sent.
      if request.generation < sources[index].generation { return }
      // A link that led elsewhere and refuses now may only have expired: ask the original again, once for all. Only
      // what the original itself leads to is final.
      if sources[index].resolvedURL != nil {
        sources[index].resolvedURL = nil
        sources[index].generation += 1
        if !request.isResolver { return }
      }
    }
    // Its ranges are of no use, but what it sends without one may be.
    if failure.isUnusableRange, !request.span.isWholeFile {
      if mayStillGiveRanges(index, now: now) { return }
      // All of a pack, or of a store, is nothing that could be followed.
      if sources[index].form == .file {
        sources[index].givesWholeBodiesOnly = true
      } else {
        sources[index].standing = .failed(failure)
      }
      return
    }
    guard failure.isRetryable else {
      sources[index].standing = .failed(failure)
      return
    }
    if gained >= settings.retry.worthwhile { return }
    // Requests that were open together fail together, and that is one failure of the source.
    let isNewFailure = sources[index].failedAt.map { request.startedAt >= $0 } ?? true
    if isNewFailure {
      sources[index].failedAt = now
      sources[index].failuresInARow += 1
    }
    if sources[index].failuresInARow > settings.retry.attempts {
      sources[index].standing = .failed(failure)
      return
    }
    let pause = settings.retry.pause(
      afterFailures: sources[index].failuresInARow, jitter: random.unit(), serverAsked: failure.retryAfter)
    if pause > settings.retry.patience {
      sources[index].standing = .failed(failure)
      return
    }
    let reopens = now.advanced(by: pause)
    sources[index].notBefore = max(sources[index].notBefore ?? now, reopens)
    if failure.isThrottle { refused(request, until: reopens) }
  }

  /// Fails when no source is left that could bring what is missing.
  mutating func failIfStuck(last: HTTPFailure?) -> [SchedulerAction] {
    // What waits for its verdict may still be all that was missing.
    guard !isOver, !wanted.isEmpty else { return [] }
    if sources.contains(where: \.isActive) {
      guard let lost = wanted.first(atOrAfter: ChunkIndex(0)), requests.isEmpty, surveyed.contains(lost),
        sources.allSatisfy({ !$0.isActive || !canGive($0, lost) })
      else { return [] }
      return end(with: TransferError(.noRightBytes, "no source has chunk \(lost.rawValue)."))
    }
    guard requests.isEmpty else { return [] }
    let failures = sources.compactMap { source -> HTTPFailure? in
      if case .failed(let failure) = source.standing { failure } else { nil }
    }
    guard let failure = last ?? failures.last else {
      return end(with: TransferError(.noRightBytes, "every source gave wrong bytes and was set aside."))
    }
    let code: TransferError.Code = failure.isSourceChange ? .sourceChanged : .unreachable
    return end(with: TransferError(code, failure.message, isRetryable: failure.isRetryable))
  }
}
