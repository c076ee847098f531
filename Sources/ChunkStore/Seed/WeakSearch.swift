package import ChunkCore
internal import ChunkSystem
internal import Synchronization

/// A chunk that is looked for at every offset.
package struct WeaklyKnownChunk: Sendable {
  package let id: ChunkID
  /// What somebody says is its weak hash.
  package let weakHash: UInt64

  package init(id: ChunkID, weakHash: UInt64) {
    self.id = id
    self.weakHash = weakHash
  }
}

/// Looks for chunks at every offset of seeds, on all processors: by their weak hashes, and then by their IDs.
///
/// Source of the rules: `Spec/weak-v1.md`, section 2. Whatever the weak hashes are, it hashes no more bytes than the seeds have,
/// and one chunk. It takes about 100 bytes a chunk that is looked for, and a few MiB a thread.
package final class WeakSearch: Sendable {
  /// How many chunks are looked for at most in one search: 100 MiB of memory.
  package static let maximumCount = 1 << 20
  /// How often other bytes may be found under a hash before it is not looked for any more.
  private static let patience = 2

  private struct State {
    /// Where chunks were found, by the beginning of their IDs.
    var places: [UInt64: WeakPlace] = [:]
    /// Hashes under which the chunk has been found.
    var done: Set<UInt64> = []
    var failures: [UInt64: Int] = [:]
    /// How many more bytes may be hashed.
    var budget: UInt64
  }

  private let seeds: [InputFile]
  private let window: Int
  private let hashes: WeakHashSet
  private let prefixes: Set<UInt64>
  private let state: Lock<State>
  private let hashed = Atomic<UInt64>(0)

  /// A search for `chunks`, all as long as the chunk size.
  ///
  /// - Precondition: There are at most ``maximumCount``.
  package init(for chunks: [WeaklyKnownChunk], chunkSize: ChunkSize, in seeds: [InputFile]) {
    precondition(chunks.count <= Self.maximumCount, "too many chunks for one search")
    self.seeds = seeds
    window = chunkSize.bytes
    hashes = WeakHashSet(chunks.map(\.weakHash))
    prefixes = Set(chunks.map(\.id.digest.prefix))
    state = Lock(State(budget: seeds.reduce(UInt64(window)) { $0 + $1.status.size }))
  }

  /// How many bytes were hashed to find out whether a window is a chunk.
  package var hashedBytes: UInt64 { hashed.load(ordering: .relaxed) }

  /// Reads the seeds once; blocks until that is done, until `isStopped` says to stop, or until more hashing is not worth it.
  ///
  /// - Parameter isStopped: Asked often, by several threads.
  /// - Returns: Where chunks are, by the first eight bytes of their IDs: a hint, as a seed may change.
  package func run(isStopped: @escaping @Sendable () -> Bool) -> [UInt64: WeakPlace] {
    for number in seeds.indices where seeds[number].status.size >= UInt64(window) {
      let next = Atomic<UInt64>(0)
      let positions = seeds[number].status.size - UInt64(window) + 1
      // A piece has many times as many offsets as the window that is read with it.
      let pieceLength = UInt64(max(1 << 20, 4 * window))
      DedicatedThread.concurrently(DedicatedThread.processorCount, name: "weak") { [self] _ in
        let buffer = AlignedBuffer(capacity: Int(min(pieceLength, positions)) + window - 1)
        var holes = HoleFinder(length: seeds[number].status.size)
        while !isStopped(), !isSpent {
          let start = next.add(pieceLength, ordering: .relaxed).oldValue
          guard start < positions else { break }
          let range = ByteRange(offset: start, count: min(pieceLength, positions - start) + UInt64(window) - 1)
          if !holes.isHole(range, in: seeds[number].file.descriptor) { search(range, ofSeed: number, buffer) }
        }
      }
    }
    return state.withLock { $0.places }
  }

  private var isSpent: Bool { state.withLock { $0.budget < UInt64(window) } }

  private func search(_ range: ByteRange, ofSeed number: Int, _ buffer: AlignedBuffer) {
    let count: Int
    do throws(Errno) {
      // The buffer is this thread's own, and has room for a piece.
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<Int(range.count)])
      count = try unsafe seeds[number].file.descriptor.pread(into: target, at: range.offset)
    } catch {
      // What cannot be read is not there.
      return
    }
    unsafe buffer.withBytes { bytes in
      let bytes = bytes.extracting(first: count)
      var offset = 0
      while let match = hashes.first(window, in: bytes, from: offset) {
        let place = WeakPlace(seed: number, offset: range.offset + UInt64(match.offset))
        guard let step = look(at: bytes.extracting(match.offset..<match.offset + window), match.hash, place) else {
          return
        }
        offset = match.offset + step
      }
    }
  }

  /// - Returns: How far the next window to be looked at is; nil when enough has been hashed.
  private func look(at bytes: Span<UInt8>, _ hash: UInt64, _ place: WeakPlace) -> Int? {
    enum Verdict { case known, unknown, spent }
    let verdict: Verdict = state.withLock { state in
      if state.done.contains(hash) || state.failures[hash, default: 0] >= Self.patience { return .known }
      guard state.budget >= UInt64(window) else { return .spent }
      state.budget -= UInt64(window)
      return .unknown
    }
    switch verdict {
    case .spent: return nil
    // Where the same bytes are repeated, every window would fit.
    case .known: return window
    case .unknown: break
    }
    hashed.add(UInt64(window), ordering: .relaxed)
    let prefix = SHA256Hasher.hash(bytes).prefix
    let isRight = prefixes.contains(prefix)
    state.withLock { state in
      if isRight {
        state.places[prefix] = state.places[prefix] ?? place
        state.done.insert(hash)
      } else {
        state.failures[hash, default: 0] += 1
      }
    }
    return isRight ? window : 1
  }
}

/// Where in which seed a chunk may be.
package struct WeakPlace: Hashable, Sendable {
  package let seed: Int
  package let offset: UInt64

  package init(seed: Int, offset: UInt64) {
    self.seed = seed
    self.offset = offset
  }
}
