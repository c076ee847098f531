internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// What happens to chunks: found on disk, wanted, arrived, right, wrong.
extension Scheduler {
  /// The survey found these chunks on disk, right.
  mutating func found(_ chunks: some Sequence<ChunkIndex>) -> [SchedulerAction] {
    for chunk in chunks where here.insert(chunk) {
      wanted.remove(chunk)
      fragments[chunk] = nil
    }
    return checkFinished()
  }

  /// The survey found that these chunks must come from the network.
  mutating func want(_ chunks: some Sequence<ChunkIndex>) {
    for chunk in chunks {
      surveyed.insert(chunk)
      guard !here.contains(chunk), !limbo.contains(chunk), !isCovered(chunk) else { continue }
      if wanted.insert(chunk) { plannedChunks += 1 }
    }
  }

  /// No more `found` or `want` will come.
  mutating func surveyEnded() -> [SchedulerAction] {
    isSurveyed = true
    return checkFinished()
  }

  /// In ordered output: every chunk before this one has been put out.
  mutating func outputAdvanced(to chunk: ChunkIndex) {
    outputReached = chunk
  }

  /// All bytes of a chunk arrived and wait for their verdict.
  mutating func sealed(_ chunk: ChunkIndex, by request: RequestID) {
    if !here.contains(chunk) {
      wanted.remove(chunk)
      limbo.insert(chunk)
    }
    fragments[chunk] = nil
    guard let open = requests[request] else { return }
    requests[request]?.next = max(open.next, chunk.advanced(by: 1))
  }

  /// A chunk turned out right, and is where it belongs.
  mutating func verified(_ chunk: ChunkIndex, from source: SourceID?, now: Instant) -> [SchedulerAction] {
    limbo.remove(chunk)
    wanted.remove(chunk)
    fragments[chunk] = nil
    wrongInARow[chunk] = nil
    guard here.insert(chunk) else { return [] }
    lastGain = now
    if let source {
      sources[source.rawValue].failuresInARow = 0
      sources[source.rawValue].verifiedChunks += 1
      wrongWithoutRight = 0
    }
    return cancelBeatenRivals() + checkFinished()
  }

  /// A chunk turned out wrong. `contributors` are the sources its bytes came from: one is to blame, of two neither.
  mutating func wrong(_ chunk: ChunkIndex, contributors: Set<SourceID>) -> [SchedulerAction] {
    limbo.remove(chunk)
    guard !here.contains(chunk), !isOver else { return [] }
    wanted.insert(chunk)
    fragments[chunk] = nil
    wrongInARow[chunk, default: 0] += 1
    wrongWithoutRight += 1
    var actions: [SchedulerAction] = []
    if contributors.count == 1, let source = contributors.first {
      sources[source.rawValue].wrong[chunk, default: 0] += 1
      if sources[source.rawValue].form == .pack { packFailed(chunk) }
      actions += judge(source)
    }
    if wrongWithoutRight >= 3, verifiedFromNetwork == 0, !manifestWasRechecked {
      manifestWasRechecked = true
      actions.append(.recheckManifest)
    }
    return actions + checkHopeless(chunk) + failIfStuck(last: nil)
  }

  /// Bytes were discarded that had been wanted by nobody any more, or a verdict became moot.
  mutating func dropped(_ chunk: ChunkIndex) {
    limbo.remove(chunk)
    if !here.contains(chunk), !isCovered(chunk) { wanted.insert(chunk) }
  }

  private var verifiedFromNetwork: Int { sources.reduce(0) { $0 + $1.verifiedChunks } }

  /// Quarantine, unless it is the last source left: that one goes on, since nobody else can help.
  private mutating func judge(_ id: SourceID) -> [SchedulerAction] {
    let source = sources[id.rawValue]
    guard source.isActive, source.deservesQuarantine else { return [] }
    guard sources.contains(where: { $0.isActive && $0.id != id }) else { return [] }
    sources[id.rawValue].standing = .quarantined
    return requests.values.filter { $0.span.source == id }.map(\.span.id).sorted().map { .cancel($0) }
  }

  /// A chunk that was wrong three times in a row, and that no other active source could still give right, is the end.
  private mutating func checkHopeless(_ chunk: ChunkIndex) -> [SchedulerAction] {
    guard wrongInARow[chunk, default: 0] >= 3 else { return [] }
    guard !sources.contains(where: { $0.isActive && !$0.hasTrouble(with: chunk) && canGive($0, chunk) }) else {
      return []
    }
    let bytes = geometry.range(of: chunk)
    let askedSources = sources.filter { $0.wrong[chunk] != nil }.map(\.url.description).joined(separator: ", ")
    return end(
      with: TransferError(
        .noRightBytes,
        "chunk \(chunk.rawValue) (bytes \(bytes.offset)-\(bytes.end - 1)) came wrong \(wrongInARow[chunk, default: 0]) "
          + "times in a row from \(askedSources): file and manifest are of different versions, or the file is damaged "
          + "there. Ask the publisher, or give another source with --mirror."))
  }

  func isCovered(_ chunk: ChunkIndex) -> Bool {
    requests.values.contains { !$0.isStream && $0.rest.contains(chunk) }
  }

  /// A rival whose chunks have all arrived by another connection has nothing left to win.
  private func cancelBeatenRivals() -> [SchedulerAction] {
    requests.values.filter { $0.isRaced && !$0.rest.isEmpty && $0.rest.allSatisfy(here.contains) }
      .map(\.span.id).sorted().map { .cancel($0) }
  }
}
