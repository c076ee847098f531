internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// Which chunks are for which form: a pack is asked for those that it makes smaller, and for others only when nobody has
/// the file as it is; and those that it makes smaller are asked of others only when no pack serves.
extension Scheduler {
  /// Where the frames of these chunks lie in the pack is known.
  mutating func packed(_ chunks: Range<ChunkIndex>, isSmaller: Bool) {
    for chunk in chunks {
      packed.insert(chunk)
      if isSmaller { savedByPack.insert(chunk) }
    }
  }

  /// What is known of the pack is of no use.
  mutating func packIsUnusable(_ failure: HTTPFailure) -> [SchedulerAction] {
    for index in sources.indices where sources[index].form == .pack && sources[index].isActive {
      sources[index].standing = .failed(failure)
    }
    let open = requests.values.filter { $0.span.form == .pack }.map(\.span.id).sorted()
    return open.map { .cancel($0) } + failIfStuck(last: failure)
  }

  /// The lowest wanted chunk from `start` on that is for this source.
  func firstWanted(atOrAfter start: ChunkIndex, for source: Source, now: Instant) -> ChunkIndex? {
    switch source.form {
    case .pack: wanted.first(atOrAfter: start, within: serves(.file, now: now) ? savedByPack : packed)
    case .file, .store:
      serves(.pack, now: now)
        ? wanted.first(atOrAfter: start, outside: savedByPack) : wanted.first(atOrAfter: start)
    }
  }

  /// Whether a chunk is for this source.
  func isFor(_ source: Source, _ chunk: ChunkIndex, now: Instant) -> Bool {
    switch source.form {
    case .pack:
      guard packed.contains(chunk) else { return false }
      return savedByPack.contains(chunk) && fragments[chunk] == nil || !serves(.file, now: now)
    case .file, .store: return !savedByPack.contains(chunk) || !serves(.pack, now: now)
    }
  }

  /// Whether the source could give this chunk at all, as far as is known.
  func canGive(_ source: Source, _ chunk: ChunkIndex) -> Bool {
    !source.missing.contains(chunk) && (source.form != .pack || packed.contains(chunk))
  }

  /// Whether a source of this form may be asked, and answers.
  private func serves(_ form: SourceForm, now: Instant) -> Bool {
    if form == .pack, savedByPack.isEmpty { return false }
    let soon = now.advanced(by: settings.retry.firstPause)
    return sources.contains {
      $0.form == form && !$0.givesWholeBodiesOnly && isOpen($0, now: soon) && !isOverdue($0, now: now)
        && !onlyCosts($0, now: now)
    }
  }

  /// It has never answered, and has had more than the time that others take for it.
  private func isOverdue(_ source: Source, now: Instant) -> Bool {
    guard source.roundTrip == nil, source.open > 0, let roundTrip = sources.compactMap(\.roundTrip).min() else {
      return false
    }
    let patience = max(1, 4 * roundTrip)
    return requests.values.contains {
      $0.span.source == source.id && $0.startedAt.duration(to: now).inSeconds > patience
    }
  }

  // MARK: What turned out otherwise

  /// A chunk came wrong from a pack, or is not to be had from it: it is for the others.
  mutating func packFailed(_ chunk: ChunkIndex) { savedByPack.remove(chunk) }

  /// The source has no bytes for the chunk that the request was to begin with.
  mutating func isMissing(_ request: OpenRequest) {
    let index = request.span.source.rawValue
    let chunk = request.next
    if case .object(let form) = request.span.form, sources[index].absentForm[chunk] == nil {
      // It may lie there in the other form.
      sources[index].absentForm[chunk] = form
      return
    }
    sources[index].missing.insert(chunk)
    switch sources[index].form {
    case .pack: packFailed(chunk)
    // Better from the pack than from nobody.
    case .file: if packed.contains(chunk) { savedByPack.insert(chunk) }
    case .store where sources[index].verifiedChunks == 0 && sources[index].missing.count >= Self.emptyStore:
      sources[index].standing = .failed(.emptyStore(sources[index].url))
    case .store: break
    }
  }

  /// So many chunks are asked of a store that turns out to have none of them.
  private static let emptyStore = 16
}

extension HTTPFailure {
  fileprivate static func emptyStore(_ url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .emptyStore,
      message: "\(url): none of the chunks that were asked for is there. Give the URL of the directory that has the "
        + "directory chunks in it.",
      url: url.description)
  }
}

extension HTTPFailure.Code {
  static let emptyStore = Self(label: "no chunk there")
}
