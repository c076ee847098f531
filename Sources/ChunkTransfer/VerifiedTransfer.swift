internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// A download whose manifest is known: steps 3 to 7 of the story.
struct VerifiedTransfer {
  let transfer: Transfer
  let network: Network
  let located: LocatedManifest
  /// nil when there is none to be used.
  let store: StoreUse?
  /// Requests that may be under way.
  let early: EarlyStart?
  private let meter: ProgressMeter
  private let pages: ManifestPages
  /// Ends the reading of leaf pages when the payload is over.
  private let pageStage: Cancellation
  private let recheck: ManifestRecheck

  init(
    transfer: Transfer, network: Network, located: LocatedManifest, store: StoreUse?, early: EarlyStart? = nil
  ) {
    self.transfer = transfer
    self.network = network
    self.located = located
    self.store = store
    self.early = early
    meter = ProgressMeter(total: located.manifest.geometry.fileLength, observe: transfer.observe)
    let pageStage = Cancellation()
    self.pageStage = pageStage
    pages = ManifestPages(located: located, stored: store?.manifest, fetch: network.smallFetch(endedBy: pageStage))
    let search = Cancellation()
    let location = ManifestLocation(
      url: transfer.url, options: transfer.options, fetch: network.smallFetch(endedBy: search), bypassesCaches: true)
    recheck = ManifestRecheck(location: location, current: located, search: search)
  }

  private var geometry: ChunkGeometry { located.manifest.geometry }

  /// What a run came to.
  enum Ending {
    case done(TransferReport)
    /// The publisher has replaced file and manifest; of the partial nothing is lost.
    case replaced(LocatedManifest)
  }

  func run() throws(TransferError) -> Ending {
    do throws(TransferError) {
      let report =
        switch transfer.output {
        case .file(let output): try toFile(output)
        case .stream(let open): try toStream(open)
        case .store: try toStore()
        }
      recheck.cancel()
      return .done(report)
    } catch {
      guard let newer = newerManifest(after: error) else { throw error }
      // Of a stream something may be out already.
      guard case .file = transfer.output else { throw ManifestRecheck.replaced }
      return .replaced(newer)
    }
  }

  private func newerManifest(after error: TransferError) -> LocatedManifest? {
    switch error.code {
    case .noRightBytes where mayBeReplaced, .sourceChanged where mayBeReplaced:
      return recheck.result()
    // Pages that do not fit to the root.
    case .notTrusted where error.isRetryable && mayBeReplaced:
      return recheck.look()
    default:
      recheck.cancel()
      return nil
    }
  }

  /// Whether the manifest may be another one by now.
  private var mayBeReplaced: Bool {
    if case .url = located.place { located.trust != .pinned && located.trust != .digest } else { false }
  }

  // MARK: To a file

  private func toFile(_ output: OutputPath) throws(TransferError) -> TransferReport {
    // 3. A file of that name that is right already needs nothing (Survey/ExistingFile).
    var existing = try look(at: output)
    if let report = try reportIfRight(existing, at: output) {
      PartialFile.removeOrphans(of: output)
      return report
    }

    // 4. Take the partial, and into it what is good of the existing file (ChunkStore/Output).
    let partial = try openPartial(output)
    if try existing.isOutdated(at: output) {
      // Whoever had the partial before has finished the file meanwhile.
      existing = try look(at: output)
      if let report = try reportIfRight(existing, at: output) {
        do throws(StoreError) { try partial.discard() } catch { throw TransferError(error) }
        return report
      }
    }
    try prepare(partial, with: existing)

    // 5. Look at the disk and at seeds, and fetch what is missing, all at once (Survey/, Seed/, Schedule/, Engine/).
    let state = try fetch(into: partial, existing, at: output)

    // 6. Make it durable and give it its name.
    meter.tell(.finishing, state)
    let digest = try settleDigest(partial.file)
    do throws(StoreError) {
      try partial.finish(length: geometry.fileLength, replacing: transfer.options.mayReplace)
    } catch {
      throw TransferError(error)
    }

    // 7. Tell what was done.
    return report(path: output.path, sha256: digest, state: state, storedBytes: stored(partial.file))
  }

  private func reportIfRight(
    _ existing: ExistingFile, at output: OutputPath
  ) throws(TransferError) -> TransferReport? {
    guard existing.isRight, let file = existing.file else { return nil }
    return report(path: output.path, sha256: try settleDigest(file), state: nil, storedBytes: stored(file))
  }

  private func settleDigest(_ file: OpenFile) throws(TransferError) -> SHA256Digest? {
    try WholeFileDigest(file: file, length: geometry.fileLength).settle(transfer.options, isStopped: isStopped)
  }

  private func look(at output: OutputPath) throws(TransferError) -> ExistingFile {
    let meter = meter
    let existing = try ExistingFile(
      at: output, manifest: located.manifest, pages: pages, isStopped: isStopped,
      progress: { meter.checked($0) })
    if existing.file != nil, !existing.isRight, !transfer.options.mayReplace {
      throw TransferError(.invalidRequest, "\(output.path) exists and has another content; it is left alone.")
    }
    return existing
  }

  private func openPartial(_ output: OutputPath) throws(TransferError) -> PartialFile {
    do throws(StoreError) { return try PartialFile.open(for: output) } catch { throw TransferError(error) }
  }

  private func prepare(_ partial: PartialFile, with existing: ExistingFile) throws(TransferError) {
    do throws(StoreError) {
      try partial.setLength(geometry.fileLength)
      if let file = existing.file { try partial.take(existing.goodRanges, from: file) }
      let copy = ManifestCopy(try partial.openSideFile(.manifest))
      copy.write(located.prefix.span, at: 0)
      pages.attach(copy)
      try reserveRoom(in: partial, existing)
      partial.writePastCache(length: geometry.fileLength)
    } catch {
      throw TransferError(error)
    }
  }

  private func reserveRoom(in partial: PartialFile, _ existing: ExistingFile) throws(StoreError) {
    guard geometry.fileLength > 0 else { return }
    do throws(StoreError) {
      try partial.preallocate([ByteRange(offset: 0, count: geometry.fileLength)])
    } catch  where error.code == .diskFull {
      // Chunks of zeros stay holes. Which these are is known only when every leaf page has been read, so that is done
      // only where it decides; where it cannot be done, the disk is full.
      let ranges = Result { () throws(TransferError) in
        try existing.rangesWithData(geometry, pages: pages, isStopped: isStopped)
      }
      guard case .success(let ranges) = ranges else { throw error }
      try partial.preallocate(ranges)
    }
  }

  private func fetch(
    into partial: PartialFile, _ existing: ExistingFile, at output: OutputPath
  ) throws(TransferError) -> EngineState {
    try fetch(
      partial: partial, wholeGroups: existing.wholeGroups, seed: existing.seed(path: output.path, geometry),
      sink: PartialSink(partial: partial, geometry: geometry), ordered: nil)
  }

  // MARK: To a stream

  private func toStream(
    _ open: @Sendable (() -> Bool) throws(StoreError) -> OpenFile
  ) throws(TransferError) -> TransferReport {
    if transfer.options.sha256 != nil {
      throw TransferError(
        .invalidRequest, "a digest of the whole cannot be checked before the bytes are out; pin the file with --id.")
    }
    let stream: OpenFile
    do throws(StoreError) { stream = try open(isStopped) } catch { throw TransferError(error) }
    let output = OrderedOutput(capacity: transfer.options.memoryBudget / ChunkSize.minimum.bytes)
    let state = try fetch(partial: nil, wholeGroups: [], seed: nil, sink: output, ordered: (output, stream))
    return report(path: nil, sha256: nil, state: state, storedBytes: stored(nil))
  }

  // MARK: To the store

  private func toStore() throws(TransferError) -> TransferReport {
    let state = try fetch(partial: nil, wholeGroups: [], seed: nil, sink: NoSink(), ordered: nil)
    return report(path: nil, sha256: nil, state: state, storedBytes: stored(nil))
  }

  // MARK: All

  private func fetch(
    partial: PartialFile?, wholeGroups: Set<Int>, seed: Seed?, sink: any ChunkSink,
    ordered: (output: OrderedOutput, stream: OpenFile)?
  ) throws(TransferError) -> EngineState {
    let here = SharedChunkSet(capacity: geometry.chunkCount)
    let asked = SharedChunkSet(capacity: geometry.chunkCount)
    var payload = PayloadFetch(geometry: geometry, network: network, transfer: transfer, meter: meter, here: here)
    payload.asked = asked
    payload.answerTime = located.answerTime
    payload.early = early?.take(for: geometry) ?? []
    for source in transfer.stores + located.sources where payload.sources.count < ManifestLimits.sources {
      if !payload.sources.contains(source) { payload.sources.append(source) }
    }
    let openPages = LeafPages(geometry: geometry, maximum: 64)
    let packs =
      payload.sources.contains { $0.form == .pack } ? PackColumn(pages: pages, post: payload.post) : nil
    let settlement = Settlement(pages: openPages, here: here, asked: asked, packs: packs, post: payload.post)
    let places = storePlaces(sink) + places(seed)
    let local =
      places.isEmpty
      ? nil
      : LocalPass(
        places: places, geometry: geometry, pageSource: pages, settlement: settlement, sink: storing(sink),
        partial: partial,
        ordered: ordered?.output, budget: transfer.options.memoryBudget / 4)
    let survey = Survey(
      manifest: located.manifest, partial: partial, wholeGroups: wholeGroups, pageSource: pages, settlement: settlement,
      local: local)
    return try payload.run(
      judge: ManifestJudge(pages: openPages, pageSource: pages, geometry: geometry, sink: storing(sink)),
      pages: openPages,
      ordered: ordered, survey: { () throws(Errno) in try survey.start() }, stopSurvey: { end(survey) },
      recheck: mayBeReplaced ? recheck : nil)
  }

  /// Where chunks may be on this machine: in other places that were given, in the file at the output, in what was named as a
  /// seed. Looking at every offset is dear, and comes last.
  private func places(_ existing: Seed?) -> [any LocalChunks] {
    // The page of a group that a seed has all of need not be fetched.
    let named = transfer.seeds.filter { $0.status.identity != existing?.file.status.identity }.map { file in
      Seed(file, geometry: geometry, offer: { [pages] group, ids in pages.offer(ids, group: group) })
    }
    let seeds = (existing.map { [$0] } ?? []) + named
    var places: [any LocalChunks] = seeds
    if !seeds.isEmpty, located.manifest.sections[.weak] != nil {
      places.append(WeakSeeds(seeds, geometry: geometry, pages: pages))
    }
    return transfer.options.localPlaces + places
  }

  /// The store, and where nothing but it gets chunks, what it need not have.
  private func storePlaces(_ sink: any ChunkSink) -> [any LocalChunks] {
    guard let store else { return [] }
    let stored = StoredChunks(of: store, placingIn: sink)
    guard case .store = transfer.output else { return [stored] }
    return [stored, ZeroChunks(geometry: geometry)]
  }

  /// With a store, what is verified goes there too.
  private func storing(_ sink: any ChunkSink) -> any ChunkSink {
    store.map { StoringSink(base: sink, use: $0) } ?? sink
  }

  /// Has the store take what it does not have of the finished file; nil when there is none, or not all of it is there.
  private func stored(_ file: OpenFile?) -> UInt64? {
    store?.finish(with: file, isStopped: isStopped)
  }

  /// The payload is over; nobody waits for a page that is still on its way, or for nothing.
  private func end(_ survey: Survey) {
    survey.stop()
    pageStage.cancel()
  }

  private var isStopped: @Sendable () -> Bool {
    let cancellation = transfer.cancellation
    return { cancellation.isCancelled }
  }

  private func report(
    path: String?, sha256: SHA256Digest?, state: EngineState?, storedBytes: UInt64?
  ) -> TransferReport {
    TransferReport(
      path: path, manifest: located.manifest, sha256: sha256, trust: located.trust, length: geometry.fileLength,
      state: state, reusedBytes: state?.counters.reusedBytes ?? geometry.fileLength, storedBytes: storedBytes,
      seconds: meter.elapsed)
  }
}
