internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import Synchronization

/// Finds out, group by group, what of a file is on this machine and what must come from the network.
///
/// Two passes run at once, each on its own thread and in the order of the file. The first looks only at holes: a hole
/// stands for zeros, so a chunk of zeros is here and every other chunk in a hole is missing, at once, while gigabytes
/// are still to be hashed. The second hashes every chunk that has data, on all cores; what does not match is missing
/// too. A third pass puts in place what a seed or a store may have of the missing chunks (`LocalPass`); what they cannot
/// have is wanted from the network at once. All read the leaf pages they need, and a page stays in memory only while
/// chunks of its group are outstanding.
///
/// Chunks are written meanwhile. Invariants:
///
/// 1. Which chunks have data is looked up once for both passes (`DataMap`), before anything is written to a chunk of the
///    group; so each chunk is settled by exactly one.
/// 2. The network's bytes are written only to chunks in `asked`.
/// 3. The third pass writes only to chunks that are neither in `asked` nor in `here`, and puts each into one of them when it
///    is done with it. So nobody writes to a chunk beside it.
final class Survey: Sendable {
  private let manifest: Manifest
  private let partial: PartialFile?
  /// What has data, the same for both passes; nil for a stream.
  private let data: DataMap?
  private let settlement: Settlement
  private let pageSource: any LeafPageSource
  /// nil when there is nothing on this machine but the partial.
  private let local: LocalPass?
  /// Groups of which the partial should have all: holes and data are settled together, and the page that their hashes make
  /// up need not be fetched.
  private let wholeGroups: Set<Int>
  private let isStopped = Atomic(false)
  private let passesLeft: Atomic<Int>

  /// A survey of `partial`, which is nil when nothing can be on disk as the output is a stream. It should have all of
  /// `wholeGroups`, as they were taken from a file that has.
  init(
    manifest: Manifest, partial: PartialFile?, wholeGroups: Set<Int>, pageSource: any LeafPageSource,
    settlement: Settlement, local: LocalPass?
  ) {
    self.manifest = manifest
    self.partial = partial
    data = partial.map { DataMap(geometry: manifest.geometry, partial: $0) }
    self.pageSource = pageSource
    self.settlement = settlement
    self.local = local
    self.wholeGroups = partial == nil ? [] : wholeGroups
    passesLeft = Atomic(2 + (local?.threadCount ?? 0))
  }

  /// Starts all passes. `stop` ends them early; the caller joins the threads.
  func start() throws(Errno) -> [DedicatedThread] {
    var threads: [DedicatedThread] = []
    do throws(Errno) {
      threads.append(try thread("survey-holes") { survey throws(TransferError) in try survey.surveyHoles() })
      threads.append(try thread("survey-data") { survey throws(TransferError) in try survey.surveyData() })
      for _ in 0..<(local?.threadCount ?? 0) {
        threads.append(try thread("survey-local") { survey throws(TransferError) in try survey.local?.run() })
      }
      return threads
    } catch {
      stop()
      for thread in threads { thread.join() }
      throw error
    }
  }

  /// Lets all passes end soon.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    settlement.pages.close()
    local?.stop()
  }

  private var stopped: Bool { isStopped.load(ordering: .acquiring) }

  private func thread(
    _ name: String, _ pass: @escaping @Sendable (Survey) throws(TransferError) -> Void
  ) throws(Errno) -> DedicatedThread {
    try DedicatedThread(name: name) { [self] in
      do throws(TransferError) {
        try pass(self)
        if passesLeft.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { settlement.post(.surveyEnded) }
      } catch {
        settlement.post(.surveyFailed(error))
      }
    }
  }

  // MARK: Holes

  private func surveyHoles() throws(TransferError) {
    defer { local?.passEnded() }
    local?.prepare()
    for group in 0..<manifest.geometry.groupCount where !stopped && !wholeGroups.contains(group) {
      let withData = Set(try data?.chunksWithData(inGroup: group) ?? [])
      let holes = manifest.geometry.chunks(inGroup: group).filter {
        !withData.contains($0) && !settlement.here.contains($0)
      }
      guard !holes.isEmpty else { continue }
      try settle(holes: holes, try pageSource.page(group: group))
    }
  }

  private func settle(holes: [ChunkIndex], _ page: LeafPage) throws(TransferError) {
    // Only a file has holes that read as zeros; a stream has nothing.
    let zeros = partial == nil ? [] : holes.filter { isZero(page[$0], $0) }
    var runs: [ByteRange] = []
    for chunk in zeros { runs.append(joining: manifest.geometry.range(of: chunk)) }
    partial?.leaveHoles(runs)
    try settle(page, found: zeros, missing: partial == nil ? holes : holes.filter { !isZero(page[$0], $0) })
  }

  private func isZero(_ id: ChunkID, _ chunk: ChunkIndex) -> Bool {
    id == ZeroChunk.id(length: manifest.geometry.length(of: chunk))
  }

  // MARK: Data

  private func surveyData() throws(TransferError) {
    defer { local?.passEnded() }
    guard let partial, let data else { return }
    local?.prepare()
    let scan = ParallelScan(geometry: manifest.geometry, file: partial.file)
    for group in 0..<manifest.geometry.groupCount where !stopped {
      let chunks = try data.chunksWithData(inGroup: group).filter { !settlement.isSettled($0) }
      let isWhole = wholeGroups.contains(group)
      guard !chunks.isEmpty || isWhole else { continue }
      var contents = try scan.contents(of: chunks) { self.stopped }
      if stopped { return }
      let holes = isWhole ? Array(Set(manifest.geometry.chunks(inGroup: group)).subtracting(chunks)).sorted() : []
      for chunk in holes { contents[chunk] = .hole }
      let page = try page(of: group, contents)
      let right = Set(chunks.filter { contents[$0]?.id(length: manifest.geometry.length(of: $0)) == page[$0] })
      try settle(page, found: chunks.filter(right.contains), missing: chunks.filter { !right.contains($0) })
      if !holes.isEmpty { try settle(holes: holes, page) }
    }
  }

  /// A group of which all is here makes up its own page.
  private func page(of group: Int, _ contents: [ChunkIndex: ChunkContent]) throws(TransferError) -> LeafPage {
    if let page = manifest.leafPage(group: group, contents: contents) { return page }
    return try pageSource.page(group: group)
  }

  // MARK: Both

  private func settle(_ page: LeafPage, found: [ChunkIndex], missing: [ChunkIndex]) throws(TransferError) {
    settlement.found(found)
    settlement.want(try local?.takeOver(missing, of: page) ?? missing, of: page)
  }
}

/// Where verified leaf pages come from. Called from several threads at once; may block.
protocol LeafPageSource: Sendable {
  func page(group: Int) throws(TransferError) -> LeafPage
}
