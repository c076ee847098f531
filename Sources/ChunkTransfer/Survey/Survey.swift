internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import Synchronization

/// Finds out, group by group, what of a file is on disk and what must come from the network.
///
/// Two passes run at once, each on its own thread and in the order of the file. The first looks only at holes: a hole
/// stands for zeros, so a chunk of zeros is here and every other chunk in a hole is wanted, at once, while gigabytes
/// are still to be hashed. The second hashes every chunk that has data, on all cores; what does not match is wanted
/// too. Both read the leaf pages they need, and a page stays in memory only while chunks of its group are outstanding.
///
/// Chunks are written meanwhile. Invariant: nothing is written to a chunk before it is in `asked`; so a chunk that has
/// data and is not in `asked` had it from the beginning. Which chunks have data is looked up once for both passes (`DataMap`),
/// so each chunk is settled by exactly one.
final class Survey: Sendable {
  private let manifest: Manifest
  private let partial: PartialFile?
  /// What has data, the same for both passes; nil for a stream.
  private let data: DataMap?
  private let pages: LeafPages
  private let here: SharedChunkSet
  private let asked: SharedChunkSet
  private let pageSource: any LeafPageSource
  private let post: @Sendable (EngineEvent) -> Void
  private let isStopped = Atomic(false)
  private let passesLeft = Atomic(2)

  /// A survey of `partial`, which is nil when nothing can be on disk as the output is a stream. What is found is entered in
  /// `here`, what is wanted in `asked`, and only then the engine is told.
  init(
    manifest: Manifest, partial: PartialFile?, pages: LeafPages, here: SharedChunkSet, asked: SharedChunkSet,
    pageSource: any LeafPageSource, post: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.manifest = manifest
    self.partial = partial
    data = partial.map { DataMap(geometry: manifest.geometry, partial: $0) }
    self.pages = pages
    self.here = here
    self.asked = asked
    self.pageSource = pageSource
    self.post = post
  }

  /// Starts both passes. `stop` ends them early; the caller joins the threads.
  func start() throws(Errno) -> [DedicatedThread] {
    let holes = try DedicatedThread(name: "survey-holes") {
      self.run { () throws(TransferError) in try self.surveyHoles() }
    }
    do throws(Errno) {
      let data = try DedicatedThread(name: "survey-data") {
        self.run { () throws(TransferError) in try self.surveyData() }
      }
      return [holes, data]
    } catch {
      stop()
      holes.join()
      throw error
    }
  }

  /// Lets both passes end soon.
  func stop() {
    isStopped.store(true, ordering: .releasing)
    pages.close()
  }

  private var stopped: Bool { isStopped.load(ordering: .acquiring) }

  private func run(_ pass: () throws(TransferError) -> Void) {
    do throws(TransferError) {
      try pass()
      if passesLeft.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { post(.surveyEnded) }
    } catch {
      post(.surveyFailed(error))
    }
  }

  // MARK: Holes

  private func surveyHoles() throws(TransferError) {
    for group in 0..<manifest.geometry.groupCount where !stopped {
      let withData = Set(try data?.chunksWithData(inGroup: group) ?? [])
      let holes = manifest.geometry.chunks(inGroup: group).filter { !withData.contains($0) && !here.contains($0) }
      guard !holes.isEmpty else { continue }
      let page = try pageSource.page(group: group)
      // Only a file has holes that read as zeros; a stream has nothing.
      let zeros = partial == nil ? [] : holes.filter { isZero(page[$0], $0) }
      var runs: [ByteRange] = []
      for chunk in zeros { runs.append(joining: manifest.geometry.range(of: chunk)) }
      partial?.leaveHoles(runs)
      settle(page, found: zeros, wanted: partial == nil ? holes : holes.filter { !isZero(page[$0], $0) })
    }
  }

  private func isZero(_ id: ChunkID, _ chunk: ChunkIndex) -> Bool {
    id == ZeroChunk.id(length: manifest.geometry.length(of: chunk))
  }

  // MARK: Data

  private func surveyData() throws(TransferError) {
    guard let partial, let data else { return }
    for group in 0..<manifest.geometry.groupCount where !stopped {
      let chunks = try data.chunksWithData(inGroup: group).filter { !asked.contains($0) && !here.contains($0) }
      guard !chunks.isEmpty else { continue }
      let page = try pageSource.page(group: group)
      let scan = ParallelScan(geometry: manifest.geometry, file: partial.file)
      let right = try scan.matching(chunks.map { ExpectedChunk(index: $0, id: page[$0]) }) { self.stopped }
      if stopped { return }
      settle(page, found: chunks.filter(right.contains), wanted: chunks.filter { !right.contains($0) })
    }
  }

  // MARK: Both

  private func settle(_ page: LeafPage, found: [ChunkIndex], wanted: [ChunkIndex]) {
    if !found.isEmpty {
      here.insert(found)
      post(.found(found))
    }
    guard !wanted.isEmpty, pages.waitForRoom() else { return }
    asked.insert(wanted)
    pages.open(page, outstanding: wanted)
    // A stream of the whole file may have brought some before the group was open.
    for chunk in wanted where here.contains(chunk) { pages.completed(chunk) }
    post(.wanted(wanted))
  }
}

/// Where verified leaf pages come from. Called from several threads at once; may block.
protocol LeafPageSource: Sendable {
  func page(group: Int) throws(TransferError) -> LeafPage
}
