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
    guard !isOver else { return nil }
    isLimiting = requests.count >= connectionLimit && !wanted.isEmpty
    guard requests.count < connectionLimit else { return nil }
    lookAtForms(now: now)
    for source in usableSources(now: now) {
      if let chunks = nextChunks(for: source, hasBuffer: hasBuffer, now: now) {
        return open(chunks: chunks, at: source, now: now)
      }
    }
    return hasBuffer ? splitOrRace(now: now) : nil
  }

  /// What to ask this source for: a chunk that broke off first, then the lowest wanted run.
  private mutating func nextChunks(for id: SourceID, hasBuffer: Bool, now: Instant) -> Range<ChunkIndex>? {
    let source = sources[id.rawValue]
    let end = schedulableEnd
    if source.givesWholeBodiesOnly {
      guard hasBuffer || !fragments.isEmpty, !wanted.isEmpty else { return nil }
      return geometry.chunks
    }
    let broken = fragments.keys.filter {
      wanted.contains($0) && $0 < end && mayAsk(source, for: $0, now: now)
        && isFor(source, $0)
    }
    let own = broken.filter { fragments[$0]?.source == id }.min()
    if let start = own ?? broken.min() { return span(from: start, at: source, before: end, now: now) }
    guard hasBuffer else { return nil }
    if onlyCosts(source, now: now) {
      // What came wrong from a better one, or is not there, may still be right here.
      let lacking = sources.filter { $0.id != id && $0.isActive }.flatMap(\.missing)
      let left = (lacking + wrongInARow.keys).filter {
        wanted.contains($0) && $0 < end && mayAsk(source, for: $0, now: now) && isFor(source, $0)
      }
      return left.min().map { $0..<$0.advanced(by: 1) }
    }
    var cursor = ChunkIndex(0)
    while let start = firstWanted(atOrAfter: cursor, for: source), start < end {
      if mayAsk(source, for: start, now: now), isFor(source, start) {
        return span(from: start, at: source, before: end, now: now)
      }
      cursor = start.advanced(by: 1)
    }
    return nil
  }

  var schedulableEnd: ChunkIndex {
    guard let window = settings.orderedWindow else { return geometry.chunks.upperBound }
    return min(geometry.chunks.upperBound, outputReached.advanced(by: window))
  }

  /// A chunk this source got wrong, or does not have, goes to another one as long as there is one without trouble that
  /// need not be waited for.
  func mayAsk(_ source: Source, for chunk: ChunkIndex, now: Instant) -> Bool {
    if source.missing.contains(chunk) { return false }
    guard source.wrong[chunk] != nil else { return true }
    let soon = now.advanced(by: settings.retry.firstPause)
    // One that gives whole bodies only is not asked as long as this one is active.
    return !sources.contains {
      $0.id != source.id && !$0.givesWholeBodiesOnly && !$0.hasTrouble(with: chunk) && canGive($0, chunk)
        && isOpen($0, now: soon) && !isSilent($0)
    }
  }

  /// Takes over a request for these chunks that was sent to the first source before anything was known of them.
  mutating func adopt(_ chunks: Range<ChunkIndex>, sentAt: Instant) -> SpanRequest {
    open(chunks: chunks, at: sources[0].id, now: sentAt)
  }

  mutating func open(chunks: Range<ChunkIndex>, at id: SourceID, now: Instant) -> SpanRequest {
    let bytes = geometry.range(of: chunks)
    let source = sources[id.rawValue]
    let form = source.spanForm(for: chunks.lowerBound)
    let kept = form.isEncoded ? 0 : UInt64(fragments[chunks.lowerBound]?.bytes ?? 0)
    let first = source.givesWholeBodiesOnly ? 0 : bytes.offset + kept
    let span = SpanRequest(
      id: newRequestID(), source: id, url: source.target, form: form, chunks: chunks, firstByte: first,
      endByte: bytes.end, isWholeFile: form == .file && first == 0 && bytes.end == geometry.fileLength,
      usesHTTP2: source.needsHTTP2)
    // A URL that is known to move, or has just refused, is resolved by one request while the others wait.
    let resolves = source.generation > 0 && source.resolvedURL == nil
    requests[span.id] = OpenRequest(
      span: span, end: chunks.upperBound, next: chunks.lowerBound, startedAt: now,
      expectedRate: source.connectionRate, generation: source.generation, isResolver: resolves,
      isStream: source.givesWholeBodiesOnly)
    if resolves { sources[id.rawValue].resolver = span.id }
    sources[id.rawValue].open += 1
    sources[id.rawValue].idleConnections = max(0, source.idleConnections - 1)
    observeHost(of: id, now: now)
    if source.givesWholeBodiesOnly {
      // They come again from their first byte.
      fragments = [:]
    } else {
      for chunk in chunks { wanted.remove(chunk) }
      fragments[chunks.lowerBound] = nil
    }
    return span
  }
}
