internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// How requests begin: from the scheduler, from an early start, from a redirect.
extension Engine {
  /// Sends what the scheduler has to ask for, while there are buffers.
  func startRequests() {
    while outcome == nil {
      let buffer = parts.pool.take()
      guard buffer != nil || !fillings.isEmpty,
        let span = scheduler.nextStart(now: Instant.now, hasBuffer: buffer != nil)
      else { return }
      if let victim = span.shortens { running[victim]?.receiver.limit(before: span.chunks.lowerBound) }
      let filling = span.isWholeFile ? nil : fillings.removeValue(forKey: span.chunks.lowerBound)
      if span.isWholeFile { dropFillings() }
      guard let (span, layout) = parts.placed(span) else {
        perform(end(span.id, .failed(.placeUnknown(span.url)), filling: filling))
        continue
      }
      if span.form.isEncoded, let filling {
        // A frame comes whole, and needs the buffer.
        counters.discardedBytes += UInt64(filling.buffer.filled)
        start(span, layout, redirects: parts.redirects(span.url), buffer: filling.buffer, filling: nil)
      } else {
        start(
          span, layout, redirects: parts.redirects(span.url), buffer: filling == nil ? buffer : nil, filling: filling)
      }
    }
  }

  private func start(
    _ span: SpanRequest, _ layout: SpanLayout, redirects: RedirectChain, buffer: ChunkBuffer?, filling: Filling?
  ) {
    guard let verify else { return }
    let request = parts.makeRequest(span, layout)
    let receiver = SpanReceiver(
      span: span, request: request, context: context(layout, verify), buffer: buffer, filling: filling)
    let fetch = parts.fetcher.start(request, receiver: receiver)
    watch(receiver, fetch, redirects)
  }

  /// Takes over a request that is under way.
  func adopt(_ early: EarlyStart.Request) {
    guard let verify, let buffer = parts.pool.take() else { return parts.fetcher.cancel(early.fetch) }
    // How long it has waited for us since it was answered, is not its fault.
    let answered = early.receiver.answerTime(since: early.sentAt)
    let span = scheduler.adopt(early.chunks, sentAt: answered.map { Instant.now.advanced(by: $0 * -1) } ?? early.sentAt)
    let layout = SpanLayout(span, geometry: parts.geometry)
    let receiver = SpanReceiver(
      span: span, request: parts.makeRequest(span, layout), context: context(layout, verify), buffer: buffer,
      filling: nil)
    watch(receiver, early.fetch, parts.redirects(span.url))
    if early.receiver.hand(to: receiver) {
      parts.fetcher.resume(early.fetch)
    } else {
      parts.fetcher.cancel(early.fetch)
    }
  }

  private func watch(_ receiver: SpanReceiver, _ fetch: FetchID, _ redirects: RedirectChain) {
    counters.requests += 1
    running[receiver.span.id] = Running(
      receiver: receiver, fetch: fetch, redirects: redirects, windowStart: (0, Instant.now))
  }

  private func context(_ layout: SpanLayout, _ verify: VerifyStage) -> SpanReceiver.Context {
    let inbox = parts.inbox
    return SpanReceiver.Context(
      geometry: parts.geometry, layout: layout, here: parts.here, asked: parts.asked, pool: parts.pool,
      frames: parts.frames, version: parts.version, post: { inbox.post($0) }, deliver: { verify.push($0) })
  }

  /// The answer was a redirect: the same request goes on elsewhere, or ends.
  func redirected(
    _ id: RequestID, to location: String, filling: Filling?, spare: ChunkBuffer?
  ) -> [SchedulerAction] {
    guard var old = running.removeValue(forKey: id) else { return [] }
    do throws(HTTPFailure) {
      let url = try old.redirects.follow(location)
      let actions = scheduler.redirected(id, to: url)
      if outcome == nil, actions == [.follow(id, url: url)] {
        let span = old.receiver.span.moved(to: url)
        start(span, old.receiver.layout, redirects: old.redirects, buffer: spare, filling: filling)
        return actions
      }
      return end(id, .cancelled, filling: filling)
    } catch {
      return end(id, .failed(error), filling: filling)
    }
  }

  /// Ends a request that has no fetch any more.
  private func end(_ id: RequestID, _ end: RequestEnd, filling: Filling?) -> [SchedulerAction] {
    handle(.ended(id, end, ReceivedBytes(), filling))
  }
}
