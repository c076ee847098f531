internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// A seed as a place to take chunks from, once it is known where they may be.
final class SeedSource: Sendable {
  let file: InputFile
  private let geometry: ChunkGeometry
  /// Whether blocks can be shared with the partial; not tried again when it failed once.
  private let canShare: Lock<Bool>

  /// A source of chunks of `geometry`; `isAligned` says that they lie at multiples of the chunk size, as blocks that are
  /// shared have to.
  init(_ file: InputFile, geometry: ChunkGeometry, isAligned: Bool) {
    self.file = file
    self.geometry = geometry
    canShare = Lock(isAligned)
  }

  /// Puts those of the matches, which are ascending, in place that are right.
  func deliver(_ matches: [SeedMatch], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    let shared = try share(matches, with: delivery)
    let isShared = Set(shared)
    let rest = matches.filter { !isShared.contains($0.chunk.index) }
    let offsets = Dictionary(uniqueKeysWithValues: rest.map { ($0.chunk.index, $0.offset) })
    let copied = try delivery.place(rest.map(\.chunk)) { chunk, buffer in
      guard let offset = offsets[chunk.index] else { return false }
      do throws(Errno) { return try buffer.fill(from: file.file.descriptor, at: offset) } catch { return false }
    }
    return shared + copied
  }

  /// Shares blocks with the partial, where the file system can, and hashes what is there then. Copying in the kernel is not
  /// tried: what it copied would have to be read once more to be hashed, and what is read to be hashed is as well written.
  ///
  /// - Returns: What is right.
  private func share(_ matches: [SeedMatch], with delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex] {
    guard let partial = delivery.partial, canShare.withLock({ $0 }) else { return [] }
    var shared: [ExpectedChunk] = []
    for run in SeedMatch.runs(matches, geometry) where !delivery.isStopped() {
      do throws(StoreError) {
        guard try partial.share(run.source, of: file.file, at: run.target) else {
          canShare.withLock { $0 = false }
          break
        }
        shared += run.chunks
      } catch {
        throw TransferError(error)
      }
    }
    var right: [ChunkIndex] = []
    var scan = ChunkScan(FileReader(partial.file), geometry: geometry)
    scan.run(shared) { findings in
      right += findings.filter(\.isRight).map(\.index)
      return true
    }
    return right
  }
}
