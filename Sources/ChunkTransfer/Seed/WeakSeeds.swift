internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// Seeds once more, for chunks that lie at no multiple of the chunk size: bytes were inserted before them, or cut out.
///
/// When the first chunk is asked for that nobody else has, all chunks that may be missing are looked for in all seeds at once:
/// it takes the pages of all groups that no seed has whole, and their weak hashes.
final class WeakSeeds: LocalChunks {
  private enum State {
    case unknown, searching
    case known([UInt64: WeakPlace])
  }

  private let seeds: [Seed]
  private let sources: [SeedSource]
  private let geometry: ChunkGeometry
  private let pages: ManifestPages
  private let state = Monitor(State.unknown)

  /// All these seeds, for what the manifest of `pages` describes.
  init(_ seeds: [Seed], geometry: ChunkGeometry, pages: ManifestPages) {
    self.seeds = seeds
    sources = seeds.map { SeedSource($0.file, geometry: geometry, isAligned: false) }
    self.geometry = geometry
    self.pages = pages
  }

  func candidates(
    among chunks: [ExpectedChunk], isStopped: @escaping @Sendable () -> Bool
  ) throws(TransferError) -> [ExpectedChunk] {
    let places = try places(isStopped)
    return chunks.filter { places[$0.id.digest.prefix] != nil && geometry.isWhole($0.index) }
  }

  func deliver(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    let places = try places(delivery.isStopped)
    var delivered: [ChunkIndex] = []
    for (number, source) in sources.enumerated() where !delivery.isStopped() {
      let matches = chunks.compactMap { chunk -> SeedMatch? in
        guard geometry.isWhole(chunk.index), let place = places[chunk.id.digest.prefix], place.seed == number else {
          return nil
        }
        return SeedMatch(chunk: chunk, offset: place.offset)
      }
      delivered += try source.deliver(matches, to: delivery)
    }
    return delivered
  }

  /// Searches, unless another thread does or has done: then waits for that.
  private func places(_ isStopped: @escaping @Sendable () -> Bool) throws(TransferError) -> [UInt64: WeakPlace] {
    let known: [UInt64: WeakPlace]?? = state.wait { state in
      switch state {
      case .unknown:
        state = .searching
        return .some(nil)
      case .searching: return nil
      case .known(let places): return .some(places)
      }
    }
    if let places = known ?? nil { return places }
    var places: [UInt64: WeakPlace] = [:]
    defer { state.change { [places] in $0 = .known(places) } }
    let wanted = try wanted(isStopped)
    if !wanted.isEmpty {
      places = WeakSearch(for: wanted, chunkSize: geometry.chunkSize, in: seeds.map(\.file)).run(isStopped: isStopped)
    }
    return places
  }

  // MARK: What to look for

  /// Chunks that no seed has at a multiple of the chunk size, with their weak hashes.
  private func wanted(_ isStopped: () -> Bool) throws(TransferError) -> [WeaklyKnownChunk] {
    var wanted: [WeaklyKnownChunk] = []
    var groups = 0..<0
    for group in 0..<geometry.groupCount {
      if isStopped() { return [] }
      guard !pages.isKnown(group), try !unknownChunks(of: group).isEmpty else { continue }
      if groups.upperBound == group, groups.count < Self.groupsAtOnce, !groups.isEmpty {
        groups = groups.lowerBound..<group + 1
      } else {
        try add(groups, to: &wanted)
        groups = group..<group + 1
      }
    }
    try add(groups, to: &wanted)
    return wanted
  }

  /// How many groups' weak hashes are read with one request, 8 KiB each.
  private static let groupsAtOnce = 32

  private func add(_ groups: Range<Int>, to wanted: inout [WeaklyKnownChunk]) throws(TransferError) {
    guard !groups.isEmpty, let hashes = try pages.weakHashes(groups: groups) else { return }
    let first = geometry.chunks(inGroup: groups.lowerBound).lowerBound
    for group in groups {
      for chunk in try unknownChunks(of: group).prefix(WeakSearch.maximumCount - wanted.count) {
        wanted.append(WeaklyKnownChunk(id: chunk.id, weakHash: hashes[first.distance(to: chunk.index)]))
      }
    }
  }

  private func unknownChunks(of group: Int) throws(TransferError) -> [ExpectedChunk] {
    let page = try pages.page(group: group)
    let zeros = ZeroChunk.id(length: geometry.chunkSize.bytes)
    return page.chunks.map { ExpectedChunk(index: $0, id: page[$0]) }.filter { chunk in
      geometry.isWhole(chunk.index) && chunk.id != zeros && !seeds.contains { $0.mayHave(chunk) }
    }
  }
}

extension ChunkGeometry {
  /// Whether the chunk is as long as the chunk size, which only the last one need not be.
  fileprivate func isWhole(_ chunk: ChunkIndex) -> Bool { length(of: chunk) == chunkSize.bytes }
}
