internal import ChunkCore
internal import ChunkSystem

/// How much to ask for in one request.
extension Scheduler {
  /// A span that begins at `start`. A chunk that came wrong before is asked for alone, so that it is the only one to
  /// be fetched again and its blame is clear.
  mutating func span(
    from start: ChunkIndex, at source: Source, before end: ChunkIndex, now: Instant
  ) -> Range<ChunkIndex> {
    guard wrongInARow[start] == nil, source.form != .store else { return start..<start.advanced(by: 1) }
    let limit = max(1, Int(spanLength(at: source) / UInt64(geometry.chunkSize.bytes)))
    var run = run(from: start, at: source, limit: limit, before: end, now: now)
    while run.count < limit, let next = afterGap(behind: run.upperBound, at: source, before: end, now: now) {
      bridgedChunks += next.rawValue - run.upperBound.rawValue
      let more = self.run(from: next, at: source, limit: limit - run.count, before: end, now: now)
      run = start..<more.upperBound
    }
    return run
  }

  private func run(
    from start: ChunkIndex, at source: Source, limit: Int, before end: ChunkIndex, now: Instant
  ) -> Range<ChunkIndex> {
    let run = wanted.run(from: start, limit: limit, before: end)
    let stop = run.dropFirst().first { !mayFollow($0, at: source, now: now) }
    return start..<(stop ?? run.upperBound)
  }

  /// Whether a chunk may be asked for in one request with those before it.
  private func mayFollow(_ chunk: ChunkIndex, at source: Source, now: Instant) -> Bool {
    wrongInARow[chunk] == nil && fragments[chunk] == nil && !source.hasTrouble(with: chunk)
      && isFor(source, chunk)
  }

  /// The wanted chunk behind a gap of chunks that are here, when it is cheaper to fetch the gap again than to spend a
  /// request on it: a request costs its connection a round trip of silence. All gaps together may not be more than 2 %
  /// of what has to be fetched. Where a round trip is short nothing is gained, and nothing is fetched twice.
  private func afterGap(
    behind gap: ChunkIndex, at source: Source, before end: ChunkIndex, now: Instant
  ) -> ChunkIndex? {
    // Where the frames of chunks lie that are here, is not known any more.
    guard settings.orderedWindow == nil, source.form == .file, let rate = source.connectionRate,
      let roundTrip = source.roundTrip,
      roundTrip >= Self.shortestBridgedRoundTrip,
      let next = wanted.first(atOrAfter: gap), next < end, mayFollow(next, at: source, now: now)
    else { return nil }
    let chunks = next.rawValue - gap.rawValue
    guard (bridgedChunks + chunks) * 50 <= plannedChunks, (gap..<next).allSatisfy(here.contains) else { return nil }
    return Double(geometry.range(of: gap..<next).count) <= rate * roundTrip ? next : nil
  }

  /// In seconds.
  private static let shortestBridgedRoundTrip = 0.05

  /// An equal share of two thirds of what is left for each connection, so that spans shrink towards the end and all
  /// connections finish together; a slow source gets less than a fast one.
  private func spanLength(at source: Source) -> UInt64 {
    let left = Double(wanted.count) * Double(geometry.chunkSize.bytes)
    var share = left * 2 / 3 / Double(connectionLimit)
    if let window = settings.orderedWindow {
      share = min(share, Double(window * geometry.chunkSize.bytes / connectionLimit))
    }
    let bounds = spanBounds(at: source)
    if let rate = source.connectionRate, fastestRate > 0 { share *= min(1, rate / fastestRate) }
    return UInt64(min(bounds.upperBound, max(bounds.lowerBound, share)))
  }

  /// From about 1 MiB to 20 MiB, by what a connection of the source does.
  ///
  /// Upwards: a connection is silent for a round trip between two spans, so that a span of fifty round trips wastes
  /// 2 %; and one of eight seconds is long enough whatever the round trip, as its connection then is up for another
  /// decision. Downwards: at the end nothing is gained by spans that take less than eight round trips, nor lost by
  /// spans that take less than a second.
  private func spanBounds(at source: Source) -> ClosedRange<Double> {
    let smallest = Double(settings.smallestSpan)
    let largest = Double(settings.largestSpan)
    guard let rate = source.connectionRate, let roundTrip = source.roundTrip else { return smallest...largest }
    let upper = min(largest, max(4 * smallest, rate * max(50 * roundTrip, 8)))
    let lower = max(min(smallest, rate), min(upper, rate * 8 * roundTrip))
    return lower...upper
  }
}
