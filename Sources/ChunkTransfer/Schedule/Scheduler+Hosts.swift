internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// How many requests each host may have, and which sources may have one more.
extension Scheduler {
  /// Sources that may take one more request now, best first: those with a free connection in proportion to their
  /// measured speed, and range servers before servers of whole bodies.
  func usableSources(now: Instant) -> [SourceID] {
    let rangeSourceIsActive = rangeSourceIsActive
    let candidates = sources.filter { source in
      guard isOpen(source, now: now), source.resolver == nil, !isSilent(source) else { return false }
      if source.givesWholeBodiesOnly { return !rangeSourceIsActive && source.open == 0 }
      return openRequests(at: source.url.origin) < allowed(at: source.url.origin)
    }
    return candidates.sorted { load(of: $0) < load(of: $1) }.map(\.id)
  }

  /// Whether there is one that gives what is asked for, and has what is wanted next.
  var rangeSourceIsActive: Bool {
    let next = wanted.first(atOrAfter: ChunkIndex(0))
    return sources.contains { source in
      source.isActive && !source.givesWholeBodiesOnly && next.map { canGive(source, $0) } ?? true
    }
  }

  /// It may be asked at this time, as far as it has not too much to do already.
  func isOpen(_ source: Source, now: Instant) -> Bool {
    guard source.isActive, hosts[source.url.origin]?.isClosed(at: now) != true else { return false }
    return source.notBefore.map { now >= $0 } ?? true
  }

  /// It has not answered yet while another one has: it has one request to do so, not a share of them.
  func isSilent(_ source: Source) -> Bool {
    source.roundTrip == nil && source.open > 0 && sources.contains { $0.isActive && $0.roundTrip != nil }
  }

  /// Its connections bring less than a twentieth of what those of the best source bring that may be asked. Such a
  /// source costs more than it gives, as its last span would keep everybody waiting, and is left alone.
  func onlyCosts(_ source: Source, now: Instant) -> Bool {
    guard settings.helpsLateSpans, let rate = source.connectionRate else { return false }
    return sources.contains { other in
      guard let best = other.connectionRate, !other.givesWholeBodiesOnly else { return false }
      return rate < best / 20 && isOpen(other, now: now)
    }
  }

  /// Open connections for each unit of measured speed; an unmeasured source counts as fast, so that it gets measured.
  private func load(of source: Source) -> Double {
    Double(source.open + 1) / max(1, source.connectionRate ?? fastestRate)
  }

  var fastestRate: Double { sources.compactMap(\.connectionRate).max() ?? 1 }

  private func openRequests(at origin: HTTPURL.Origin) -> Int {
    sources.reduce(0) { $0 + ($1.url.origin == origin ? $1.open : 0) }
  }

  private func allowed(at origin: HTTPURL.Origin) -> Int {
    min(settings.hostCeiling, hosts[origin]?.ceiling ?? .max)
  }

  /// What all hosts that are left allow together.
  var hostsAllow: Int {
    if sources.count == 1 { return max(1, min(settings.totalCeiling, allowed(at: sources[0].url.origin))) }
    let origins = Set(sources.filter(\.isActive).map(\.url.origin))
    return max(1, min(settings.totalCeiling, origins.reduce(0) { $0 + allowed(at: $1) }))
  }

  private func openRequests(of origin: HTTPURL.Origin, where isCounted: (OpenRequest) -> Bool) -> [RequestID] {
    requests.values.filter { isCounted($0) && sources[$0.span.source.rawValue].url.origin == origin }.map(\.span.id)
  }

  private func served(at origin: HTTPURL.Origin) -> Int { openRequests(of: origin, where: \.hasHead).count }

  /// A request is sent, or answered: what its host serves now is what it allows at least.
  mutating func observeHost(of source: SourceID, now: Instant) {
    let origin = sources[source.rawValue].url.origin
    let count = served(at: origin)
    for id in openRequests(of: origin, where: { !$0.hasHead }) {
      let before = requests[id]?.servedBeside ?? 0
      requests[id]?.servedBeside = max(before, count)
    }
    hosts[origin]?.serves(count, at: now)
  }

  /// The host asks for fewer connections, and for a pause.
  mutating func refused(_ request: OpenRequest, until reopens: Instant) {
    let origin = sources[request.span.source.rawValue].url.origin
    hosts[origin, default: Host()].refused(
      whileServing: request.servedBeside, open: openRequests(at: origin), reopens: reopens)
  }
}
