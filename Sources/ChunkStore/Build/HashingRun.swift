internal import ChunkCore
internal import ChunkSystem

/// One file being hashed by several threads.
final class HashingRun: Sendable {
  private let input: InputFile
  private let reader: FileReader
  private let batches: ChunkBatches
  private let progress: HashingProgress

  private let chunkIDs: Lock<[ChunkID]>
  private let digest = Lock<SHA256Digest?>(nil)
  private let failure = Lock<StoreError?>(nil)

  /// How far the hash of the whole file is. It is the slowest, and what it is to read should still be in memory: so the
  /// others do not run away from it.
  private let wholePosition: Monitor<UInt64>
  private static let longestLead: UInt64 = 128 << 20

  /// `reader` is what `input` is read through.
  init(input: InputFile, reader: FileReader, geometry: ChunkGeometry, wholeFile: Bool, progress: HashingProgress) {
    self.input = input
    self.reader = reader
    batches = ChunkBatches(geometry: geometry)
    self.progress = progress
    chunkIDs = Lock(Array(repeating: ZeroChunk.id(length: 0), count: geometry.chunkCount))
    wholePosition = Monitor(wholeFile ? 0 : .max)
  }

  /// What has been found out, once all threads have returned.
  func result() throws(StoreError) -> HashedFile {
    if let failure = failure.withLock({ $0 }) { throw failure }
    return HashedFile(
      geometry: batches.geometry, chunkIDs: chunkIDs.withLock { $0 }, wholeFile: digest.withLock { $0 },
      status: input.status)
  }

  private func fail(_ error: StoreError) {
    failure.withLock { failure in
      if failure == nil { failure = error }
    }
    wholePosition.change { $0 = .max }
  }

  /// Whether the threads are to go on.
  private var goesOn: Bool {
    if progress.isCancelled { fail(StoreError(.cancelled, "the hashing was stopped", path: input.path)) }
    return failure.withLock { $0 == nil }
  }

  // MARK: Chunks

  /// Takes runs of chunks until there are none left.
  func hashChunks(kernel: HashKernel) {
    var hasher = StripHasher(of: reader, chunkSize: batches.geometry.chunkSize, kernel: kernel)
    var holes = HoleFinder(length: input.status.size)
    while goesOn, let (_, chunks) = batches.take() {
      waitForWholeFile(batches.geometry.range(of: chunks).offset)
      var start = chunks.lowerBound
      while start < chunks.upperBound {
        let end = min(start.advanced(by: hasher.laneLimit), chunks.upperBound)
        guard hash(start..<end, with: &hasher, &holes) else { return }
        start = end
      }
    }
  }

  private func waitForWholeFile(_ offset: UInt64) {
    wholePosition.wait { position in
      position >= offset || offset - position <= Self.longestLead ? () : nil
    }
  }

  private func hash(
    _ chunks: Range<ChunkIndex>, with hasher: inout StripHasher, _ holes: inout HoleFinder
  ) -> Bool {
    let geometry = batches.geometry
    var ids: [ChunkID] = []
    var solid: [(place: Int, range: ByteRange)] = []
    for (place, chunk) in chunks.enumerated() {
      let range = geometry.range(of: chunk)
      ids.append(ZeroChunk.id(length: geometry.length(of: chunk)))
      if !holes.isHole(range, in: input.file.descriptor) { solid.append((place, range)) }
    }
    let results = hasher.hash(solid.map(\.range))
    for ((place, range), result) in zip(solid, results) {
      if let failure = result.failure {
        fail(StoreError(failure, "cannot read at byte \(range.offset)", path: input.path))
        return false
      }
      // It became shorter.
      guard result.count == Int(range.count) else {
        fail(input.changed)
        return false
      }
      ids[place] = ChunkID(result.digest)
    }
    let first = chunks.lowerBound.rawValue
    chunkIDs.withLock { all in
      for (place, id) in ids.enumerated() { all[first + place] = id }
    }
    progress.add(geometry.range(of: chunks).count)
    return true
  }

  // MARK: The whole file

  /// Hashes the file from front to back.
  func hashWholeFile() {
    let strip = AlignedBuffer(capacity: 1 << 20)
    var hasher = SHA256Hasher()
    var offset: UInt64 = 0
    while offset < input.status.size {
      guard goesOn else { return }
      let wanted = Int(min(UInt64(strip.capacity), input.status.size - offset))
      do throws(Errno) {
        // The strip is this function's own.
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: strip.bytes[..<wanted])
        guard try unsafe input.file.descriptor.pread(into: target, at: offset) == wanted else {
          return fail(input.changed)
        }
      } catch {
        return fail(StoreError(error, "cannot read at byte \(offset)", path: input.path))
      }
      unsafe strip.withBytes { hasher.update($0.extracting(first: wanted)) }
      offset += UInt64(wanted)
      wholePosition.change { if $0 < offset { $0 = offset } }
    }
    let whole = hasher.finalize()
    digest.withLock { $0 = whole }
    wholePosition.change { $0 = .max }
  }
}
