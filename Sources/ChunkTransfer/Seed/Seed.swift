internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// A file that may have chunks of the one that is wanted, at the multiples of the chunk size: at the same place or at others.
///
/// It is hashed once, on all cores, before anything is asked of the network: until then nothing can be said not to be in it.
/// What that found is a hint. Bytes are hashed again where they are used, so a seed that changes meanwhile, or lies about
/// itself, is merely of no use. It is only ever read.
final class Seed: LocalChunks {
  private enum State {
    case unknown, scanning
    case known(SeedIndex)
  }

  private let source: SeedSource
  private let geometry: ChunkGeometry
  private let state: Monitor<State>
  /// Is offered the IDs of the groups of the seed.
  private let offer: @Sendable (_ group: Int, _ ids: [ChunkID]) -> Void

  /// A seed for a file of `geometry`, which is scanned when it is first needed. What it has of whole groups goes to `offer`.
  init(
    _ file: InputFile, geometry: ChunkGeometry, offer: @escaping @Sendable (_ group: Int, _ ids: [ChunkID]) -> Void
  ) {
    source = SeedSource(file, geometry: geometry, isAligned: true)
    self.geometry = geometry
    self.offer = offer
    state = Monitor(.unknown)
  }

  /// A seed that was scanned already.
  init(_ file: InputFile, geometry: ChunkGeometry, index: SeedIndex) {
    source = SeedSource(file, geometry: geometry, isAligned: true)
    self.geometry = geometry
    offer = { _, _ in }
    state = Monitor(.known(index))
  }

  var file: InputFile { source.file }

  // MARK: What it has

  func prepare(isStopped: @escaping @Sendable () -> Bool) {
    _ = index(isStopped)
  }

  /// Scans the seed, unless another thread does or has done: then waits for that.
  private func index(_ isStopped: @escaping @Sendable () -> Bool) -> SeedIndex {
    let known: SeedIndex?? = state.wait { state in
      switch state {
      case .unknown:
        state = .scanning
        return .some(nil)
      case .scanning: return nil
      case .known(let index): return .some(index)
      }
    }
    if let index = known ?? nil { return index }
    let index = SeedScan(source.file, chunkSize: geometry.chunkSize).run(isStopped: isStopped, onGroup: offer)
    state.change { $0 = .known(index) }
    return index
  }

  func candidates(
    among chunks: [ExpectedChunk], isStopped: @escaping @Sendable () -> Bool
  ) throws(TransferError) -> [ExpectedChunk] {
    let index = index(isStopped)
    return chunks.filter { !offsets(of: $0, index).isEmpty }
  }

  /// Whether it may have the chunk, as far as is known by now.
  func mayHave(_ chunk: ExpectedChunk) -> Bool {
    guard case .known(let index) = state.read({ $0 }) else { return false }
    return !offsets(of: chunk, index).isEmpty
  }

  /// Where the chunk may be, the likeliest place first.
  private func offsets(of chunk: ExpectedChunk, _ index: SeedIndex) -> [UInt64] {
    let range = geometry.range(of: chunk.index)
    let size = UInt64(geometry.chunkSize.bytes)
    if range.count < size {
      // The last chunk: at its own place, or at the end of the seed.
      guard range.count <= source.file.status.size else { return [] }
      let end = source.file.status.size - range.count
      return range.offset < end ? [range.offset, end] : [end]
    }
    if let place = index.place(of: chunk.id, own: chunk.index.rawValue) { return [UInt64(place) * size] }
    // What lies beyond the index is only known to be there.
    let isBeyond = chunk.index.rawValue >= SeedIndex.maximumCount && range.end <= source.file.status.size
    return isBeyond ? [range.offset] : []
  }

  // MARK: Putting it in place

  func deliver(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    let index = index(delivery.isStopped)
    var delivered: [ChunkIndex] = []
    var rest = chunks.map { (chunk: $0, offsets: offsets(of: $0, index)[...]) }.filter { !$0.offsets.isEmpty }
    while !rest.isEmpty, !delivery.isStopped() {
      let found = rest.compactMap { entry in
        entry.offsets.first.map { SeedMatch(chunk: entry.chunk, offset: $0) }
      }
      let here = Set(try source.deliver(found, to: delivery))
      delivered += here
      rest = rest.filter { !here.contains($0.chunk.index) && $0.offsets.count > 1 }.map {
        ($0.chunk, $0.offsets.dropFirst())
      }
    }
    return delivered
  }
}
