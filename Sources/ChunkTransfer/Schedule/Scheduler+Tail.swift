internal import ChunkCore
internal import ChunkSystem

/// What a connection does for which nothing is left: it takes a part of what another one has still to bring, or races
/// it.
extension Scheduler {
  mutating func splitOrRace(now: Instant) -> SpanRequest? {
    let isAllHandedOut = wanted.first(atOrAfter: ChunkIndex(0)).map { $0 >= schedulableEnd } ?? true
    guard settings.helpsLateSpans, isSurveyed, isAllHandedOut else { return nil }
    // In ordered output every chunk of the window has one buffer by right, and there is one to spare: one race.
    if settings.orderedWindow != nil, requests.values.contains(where: \.isRaced) { return nil }
    let usable = usableSources(now: now)
    guard !usable.isEmpty else { return nil }
    let victims = requests.values
      .filter { !$0.isRaced && !$0.isStream && !$0.rest.isEmpty }
      .map { (request: $0, seconds: secondsLeft($0)) }
      .sorted { ($0.seconds, $0.request.span.id.rawValue) > ($1.seconds, $1.request.span.id.rawValue) }
    for (victim, seconds) in victims {
      guard let id = usable.first(where: { canHelp($0, victim, now: now) }) else { continue }
      if settings.orderedWindow == nil, let middle = split(victim, seconds: seconds, for: id) {
        return hand(middle..<victim.end, of: victim, to: id, now: now)
      }
      if sources[id.rawValue].form == .store, victim.rest.count > 1 { continue }
      if isLate(victim, now: now) || losesTo(id, victim, seconds: seconds) { return race(victim, by: id, now: now) }
    }
    return nil
  }

  private func canHelp(_ id: SourceID, _ victim: OpenRequest, now: Instant) -> Bool {
    !sources[id.rawValue].givesWholeBodiesOnly
      && victim.rest.allSatisfy { canHelp(sources[id.rawValue], with: $0, of: victim, now: now) }
  }

  /// It may be asked for the chunk; and where frames or objects are to be asked for, the chunk is not here, as then nothing is
  /// known of it any more.
  private func canHelp(_ source: Source, with chunk: ChunkIndex, of victim: OpenRequest, now: Instant) -> Bool {
    mayAsk(source, for: chunk, now: now) && (source.form == .file || !here.contains(chunk))
      && (source.id == victim.span.source || isFor(source, chunk))
  }

  /// Bytes a second of an open request: its own rate once that means something, until then at least what connections of its
  /// source do, or of the best one; nil when nothing has been measured yet. A young one that still grows must not look like
  /// one that crawls: it would be cut short, its connection lost, and what was taken from it be young again elsewhere.
  private func rate(of request: OpenRequest) -> Double? {
    let usual = rate(at: request.span.source)
    guard let own = request.rate.bytesPerSecond else { return usual.map { max(1, $0) } }
    let age = request.answeredAt.map { $0.duration(to: lastTick).inSeconds } ?? 0
    let isGrown = age >= max(0.3, 8 * roundTrip(to: request.span.source))
    return max(1, own, isGrown ? 0 : usual ?? 0)
  }

  private func rate(at id: SourceID) -> Double? {
    sources[id.rawValue].connectionRate ?? sources.compactMap(\.connectionRate).max()
  }

  /// 0 as long as no rate is known.
  func secondsLeft(_ request: OpenRequest) -> Double {
    let end = geometry.range(of: request.rest).end
    let position = request.span.firstByte + request.received
    guard end > position, let rate = rate(of: request) else { return 0 }
    return Double(end - position) / rate
  }

  /// Where to cut the rest of `victim` in two so that both halves end at the same time, or nil when that is not worth
  /// a connection: the victim's is closed when its answer is cut short, and the other's may have to be made.
  private func split(_ victim: OpenRequest, seconds: Double, for id: SourceID) -> ChunkIndex? {
    // The chunk that is coming stays where it is.
    guard victim.rest.count >= 2, let theirs = rate(of: victim), let (ours, delay) = otherConnection(at: id) else {
      return nil
    }
    let chunk = Double(geometry.chunkSize.bytes)
    let even = (seconds - delay) * ours * theirs / (ours + theirs) / chunk
    let most = sources[id.rawValue].form == .store ? 1 : victim.rest.count - 1
    let taken = min(most, max(1, Int(even.rounded())))
    let after = max(seconds - Double(taken) * chunk / theirs, delay + Double(taken) * chunk / ours)
    guard seconds - after >= max(0.1, roundTrip(to: id)) else { return nil }
    return victim.end.advanced(by: -taken)
  }

  /// Bytes a second of another connection, and the seconds it loses against one that runs: the round trip of the request where
  /// one has just become free. A new one needs two until the first byte, and loses half of one with every doubling of its
  /// window up to that rate, from ten segments. nil when nothing has been measured yet.
  private func otherConnection(at id: SourceID) -> (rate: Double, delay: Double)? {
    guard let rate = rate(at: id).map({ max(1, $0) }) else { return nil }
    let roundTrip = roundTrip(to: id)
    if sources[id.rawValue].idleConnections > 0 { return (rate, roundTrip) }
    let windows = UInt64(min(1e9, rate * roundTrip / 14_600))
    let doublings = UInt64.bitWidth - windows.leadingZeroBitCount
    return (rate, roundTrip * (2 + Double(doublings) / 2))
  }

  private func roundTrip(to id: SourceID) -> Double { sources[id.rawValue].roundTrip ?? 0.1 }

  private mutating func hand(
    _ chunks: Range<ChunkIndex>, of victim: OpenRequest, to id: SourceID, now: Instant
  ) -> SpanRequest {
    requests[victim.span.id]?.end = chunks.lowerBound
    var span = open(chunks: chunks, at: id, now: now)
    span.shortens = victim.span.id
    return span
  }

  /// Late is twice its estimate, and at least a second behind it. The estimate is that of the time it was sent: a
  /// source that goes silent does not become punctual by it.
  private func isLate(_ victim: OpenRequest, now: Instant) -> Bool {
    guard let rate = victim.expectedRate ?? rate(at: victim.span.source) else { return false }
    let chunks = victim.span.chunks.lowerBound..<victim.end
    let estimate = Double(geometry.range(of: chunks).count) / max(1, rate)
    let elapsed = victim.startedAt.duration(to: now).inSeconds
    return elapsed > 2 * estimate && elapsed >= estimate + 1
  }

  /// Whether a rival that begins now, and fetches the chunk that is coming once more, would be there well before. Of
  /// connections that are alike none does; it is those that lost packets and crawl since.
  private func losesTo(_ id: SourceID, _ victim: OpenRequest, seconds: Double) -> Bool {
    guard victim.hasHead, let (ours, delay) = otherConnection(at: id) else { return false }
    let rival = delay + Double(geometry.range(of: victim.rest).count) / ours
    return seconds > 1.5 * rival && seconds >= rival + 0.5
  }

  private mutating func race(_ victim: OpenRequest, by id: SourceID, now: Instant) -> SpanRequest {
    requests[victim.span.id]?.isRaced = true
    let rival = open(chunks: victim.rest, at: id, now: now)
    requests[rival.id]?.isRaced = true
    return rival
  }
}
