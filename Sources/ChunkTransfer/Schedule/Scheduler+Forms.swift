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

  /// The lowest wanted chunk from `start` on that may be for this source.
  func firstWanted(atOrAfter start: ChunkIndex, for source: Source) -> ChunkIndex? {
    switch source.form {
    case .pack: wanted.first(atOrAfter: start, within: serving.files ? savedByPack : packed)
    case .file, .store:
      serving.packs ? wanted.first(atOrAfter: start, outside: savedByPack) : wanted.first(atOrAfter: start)
    }
  }

  /// Whether a chunk is for this source.
  func isFor(_ source: Source, _ chunk: ChunkIndex) -> Bool {
    switch source.form {
    case .pack:
      guard packed.contains(chunk), surveyed.contains(chunk) else { return false }
      return savedByPack.contains(chunk) && fragments[chunk] == nil || !serving.files
    case .store where !surveyed.contains(chunk): return false
    // What has come of a chunk in part is gone on with.
    case .file, .store: return !savedByPack.contains(chunk) || fragments[chunk] != nil || !serving.packs
    }
  }

  /// Whether the source could give this chunk at all, as far as is known.
  func canGive(_ source: Source, _ chunk: ChunkIndex) -> Bool {
    !source.missing.contains(chunk) && (source.form != .pack || packed.contains(chunk))
  }

  /// Finds out which forms may be asked now.
  mutating func lookAtForms(now: Instant) {
    guard !packed.isEmpty else { return }
    serving = (packs: !savedByPack.isEmpty && serves(.pack, now: now), files: serves(.file, now: now))
  }

  /// Whether a source of this form may be asked, and answers.
  private func serves(_ form: SourceForm, now: Instant) -> Bool {
    let soon = now.advanced(by: settings.retry.firstPause)
    return sources.contains {
      $0.form == form && !$0.givesWholeBodiesOnly && isOpen($0, now: soon) && !isOverdue($0, now: now)
        && !onlyCosts($0, now: now)
    }
  }

  /// It has never answered, and has had a second for it, and more than the time that others take.
  private func isOverdue(_ source: Source, now: Instant) -> Bool {
    guard settings.helpsLateSpans, source.roundTrip == nil, source.open > 0 else { return false }
    let patience = max(1, 4 * (sources.compactMap(\.roundTrip).min() ?? 0))
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
    if case .object(let form) = request.span.form, sources[index].absentForm[chunk] ?? form == form {
      // It may lie there in the other form. (Of two rivals both have found this out.)
      sources[index].absentForm[chunk] = form
      return
    }
    sources[index].missing.insert(chunk)
    switch sources[index].form {
    case .pack: packFailed(chunk)
    // Better from the pack than from nobody.
    case .file:
      let hasPack = sources.contains { $0.form == .pack && $0.isActive && !$0.hasTrouble(with: chunk) }
      if packed.contains(chunk), hasPack { savedByPack.insert(chunk) }
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
