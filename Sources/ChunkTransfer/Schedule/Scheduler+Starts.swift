internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// Which request to send next.
extension Scheduler {
  /// The next request to send, or nil when nothing may be or need be sent now.
  ///
  /// A request starts only with a place for its first bytes. With `hasBuffer` the caller holds a free chunk buffer for
  /// it; without one, only a chunk that broke off can be gone on with, as it has its buffer still. (If it could not, as
  /// many broken chunks as there are buffers would be the end.)
  mutating func nextStart(now: Instant, hasBuffer: Bool = true) -> SpanRequest? {
    guard !isOver, requests.count < concurrency.current else { return nil }
    for source in usableSources(now: now) {
      if let chunks = nextChunks(for: source, hasBuffer: hasBuffer) {
        return open(chunks: chunks, at: source, now: now)
      }
    }
    return hasBuffer ? splitOrRace(now: now) : nil
  }

  /// Sources that may take one more request now, best first: those with a free connection in proportion to their
  /// measured speed, and range servers before servers of whole bodies.
  private func usableSources(now: Instant) -> [SourceID] {
    let rangeSourceIsActive = sources.contains { $0.isActive && !$0.givesWholeBodiesOnly }
    let candidates = sources.filter { source in
      guard source.isActive, source.resolver == nil else { return false }
      if let notBefore = source.notBefore, now < notBefore { return false }
      if source.givesWholeBodiesOnly { return !rangeSourceIsActive && source.open == 0 }
      return openConnections(to: source.url.origin) < min(settings.hostCeiling, source.connectionCeiling)
    }
    return candidates.sorted { load(of: $0) < load(of: $1) }.map(\.id)
  }

  /// Open connections for each unit of measured speed; an unmeasured source counts as fast, so that it gets measured.
  private func load(of source: Source) -> Double {
    Double(source.open + 1) / (source.connectionRate ?? fastestRate)
  }

  private var fastestRate: Double { sources.compactMap(\.connectionRate).max() ?? 1 }

  private func openConnections(to origin: HTTPURL.Origin) -> Int {
    sources.reduce(0) { $0 + ($1.url.origin == origin ? $1.open : 0) }
  }

  /// What to ask this source for: a chunk that broke off first, then the lowest wanted run.
  private func nextChunks(for id: SourceID, hasBuffer: Bool) -> Range<ChunkIndex>? {
    let source = sources[id.rawValue]
    let end = schedulableEnd
    if source.givesWholeBodiesOnly {
      guard hasBuffer || !fragments.isEmpty, !wanted.isEmpty else { return nil }
      return geometry.chunks
    }
    let broken = fragments.keys.filter { wanted.contains($0) && $0 < end && mayAsk(source, for: $0) }
    let own = broken.filter { fragments[$0]?.source == id }.min()
    if let start = own ?? broken.min() { return span(from: start, at: source, before: end) }
    guard hasBuffer else { return nil }
    var cursor = ChunkIndex(0)
    while let start = wanted.first(atOrAfter: cursor), start < end {
      if mayAsk(source, for: start) { return span(from: start, at: source, before: end) }
      cursor = start.advanced(by: 1)
    }
    return nil
  }

  var schedulableEnd: ChunkIndex {
    guard let window = settings.orderedWindow else { return geometry.chunks.upperBound }
    return min(geometry.chunks.upperBound, outputReached.advanced(by: window))
  }

  /// A chunk this source got wrong, or does not have, goes to another one as long as there is one without trouble.
  private func mayAsk(_ source: Source, for chunk: ChunkIndex) -> Bool {
    if source.missing.contains(chunk) { return false }
    guard source.wrong[chunk] != nil else { return true }
    // One that gives whole bodies only is not asked as long as this one is active.
    return !sources.contains {
      $0.isActive && $0.id != source.id && !$0.givesWholeBodiesOnly && !$0.hasTrouble(with: chunk)
    }
  }

  /// A span that begins at `start`. A chunk that came wrong before is asked for alone, so that it is the only one to
  /// be fetched again and its blame is clear.
  private func span(from start: ChunkIndex, at source: Source, before end: ChunkIndex) -> Range<ChunkIndex> {
    guard wrongInARow[start] == nil else { return start..<start.advanced(by: 1) }
    let limit = max(1, Int(spanLength(at: source) / UInt64(geometry.chunkSize.bytes)))
    let run = wanted.run(from: start, limit: limit, before: end)
    let stop = run.dropFirst().first { wrongInARow[$0] != nil || fragments[$0] != nil || source.hasTrouble(with: $0) }
    return start..<(stop ?? run.upperBound)
  }

  /// Long spans while much is left, short ones towards the end, so that all connections finish together; a slow
  /// source gets less than a fast one.
  private func spanLength(at source: Source) -> UInt64 {
    let left = UInt64(wanted.count) * UInt64(geometry.chunkSize.bytes)
    var share = left / UInt64(2 * max(1, concurrency.current))
    if let window = settings.orderedWindow {
      share = min(share, UInt64(window * geometry.chunkSize.bytes / max(1, concurrency.current)))
    }
    if let rate = source.connectionRate, fastestRate > 0 { share = UInt64(Double(share) * rate / fastestRate) }
    return min(settings.largestSpan, max(settings.smallestSpan, share))
  }

  private mutating func open(chunks: Range<ChunkIndex>, at id: SourceID, now: Instant) -> SpanRequest {
    let bytes = geometry.range(of: chunks)
    let source = sources[id.rawValue]
    let first = source.givesWholeBodiesOnly ? 0 : bytes.offset + UInt64(fragments[chunks.lowerBound]?.bytes ?? 0)
    let span = SpanRequest(
      id: newRequestID(), source: id, url: source.target, chunks: chunks, firstByte: first, endByte: bytes.end,
      isWholeFile: first == 0 && bytes.end == geometry.fileLength, usesHTTP2: source.needsHTTP2)
    // A URL that is known to move, or has just refused, is resolved by one request while the others wait.
    let resolves = source.generation > 0 && source.resolvedURL == nil
    requests[span.id] = OpenRequest(
      span: span, end: chunks.upperBound, next: chunks.lowerBound, startedAt: now, generation: source.generation,
      isResolver: resolves, isStream: source.givesWholeBodiesOnly)
    if resolves { sources[id.rawValue].resolver = span.id }
    sources[id.rawValue].open += 1
    if source.givesWholeBodiesOnly {
      // They come again from their first byte.
      fragments = [:]
    } else {
      for chunk in chunks { wanted.remove(chunk) }
      fragments[chunks.lowerBound] = nil
    }
    return span
  }

  /// Nothing is left to hand out, but a connection is free: give it half of the largest open span, or let it race one
  /// that is late.
  private mutating func splitOrRace(now: Instant) -> SpanRequest? {
    guard isSurveyed, wanted.isEmpty else { return nil }
    // In ordered output every chunk of the window has one buffer by right, and there is one to spare: one race.
    if settings.orderedWindow != nil, requests.values.contains(where: \.isRaced) { return nil }
    let victims = requests.values.filter { !$0.isRaced && !sources[$0.span.source.rawValue].givesWholeBodiesOnly }
      .sorted { ($0.rest.count, $0.span.id) > ($1.rest.count, $1.span.id) }
    for victim in victims {
      guard let id = usableSources(now: now).first(where: { canHelp($0, victim) }) else { continue }
      if settings.orderedWindow == nil, isWorthSplitting(victim, now: now) { return split(victim, for: id, now: now) }
      if isLate(victim, now: now) { return race(victim, by: id, now: now) }
    }
    return nil
  }

  private func canHelp(_ id: SourceID, _ victim: OpenRequest) -> Bool {
    !sources[id.rawValue].givesWholeBodiesOnly && victim.rest.allSatisfy { mayAsk(sources[id.rawValue], for: $0) }
  }

  private func expectedSeconds(_ victim: OpenRequest) -> Double? {
    guard let rate = sources[victim.span.source.rawValue].connectionRate, !victim.rest.isEmpty else { return nil }
    return Double(geometry.range(of: victim.rest).count) / rate
  }

  /// Cutting a response short costs its connection, so the rest must be worth more than a reconnect.
  private func isWorthSplitting(_ victim: OpenRequest, now: Instant) -> Bool {
    guard victim.rest.count >= 2, geometry.range(of: victim.rest).count >= 2 * settings.smallestSpan else {
      return false
    }
    guard let seconds = expectedSeconds(victim) else { return victim.startedAt.duration(to: now) >= .seconds(1) }
    return seconds >= 0.5
  }

  private mutating func split(_ victim: OpenRequest, for id: SourceID, now: Instant) -> SpanRequest {
    let middle = victim.rest.lowerBound.advanced(by: (victim.rest.count + 1) / 2)
    let taken = middle..<victim.end
    requests[victim.span.id]?.end = middle
    var span = open(chunks: taken, at: id, now: now)
    span.shortens = victim.span.id
    return span
  }

  /// Late is twice its estimate, and at least a second.
  private func isLate(_ victim: OpenRequest, now: Instant) -> Bool {
    guard let rate = sources[victim.span.source.rawValue].connectionRate ?? sources.compactMap(\.connectionRate).max()
    else { return false }
    let estimate = Double(geometry.range(of: victim.span.chunks).count) / rate
    let elapsed = victim.startedAt.duration(to: now).inSeconds
    return elapsed >= 1 && elapsed > 2 * estimate
  }

  private mutating func race(_ victim: OpenRequest, by id: SourceID, now: Instant) -> SpanRequest {
    requests[victim.span.id]?.isRaced = true
    let rival = open(chunks: victim.rest, at: id, now: now)
    requests[rival.id]?.isRaced = true
    return rival
  }
}
