internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
private import Synchronization

/// Hashes chunks of a file on all cores.
struct ParallelScan {
  private let geometry: ChunkGeometry
  private let reader: FileReader
  /// How many chunks a thread takes at a time: those that are read with one call.
  private let share: Int

  init(geometry: ChunkGeometry, file: OpenFile) {
    self.geometry = geometry
    reader = FileReader(pastCache: file)
    share = max(16, (1 << 20) / geometry.chunkSize.bytes)
  }

  /// What the file has at the places of these chunks. Blocks until all are hashed or `isStopped` says to stop; what was not
  /// looked at then is not in the result.
  ///
  /// The threads take what is next, so that a disk is read from front to back.
  func contents(
    of chunks: [ChunkIndex], isStopped: @escaping @Sendable () -> Bool,
    progress: (@Sendable (_ bytes: UInt64) -> Void)? = nil
  ) throws(TransferError) -> [ChunkIndex: ChunkContent] {
    let found = Lock<[ChunkIndex: ChunkContent]>([:])
    let counter = Counter()
    var threads: [DedicatedThread] = []
    do throws(Errno) {
      for _ in 0..<min(reader.threadCount, (chunks.count + share - 1) / share) {
        threads.append(
          try DedicatedThread(name: "scan") { [self] in
            var scan = ContentScan(reader, geometry: geometry)
            scan.run(SharedChunks(chunks: chunks, counter: counter, share: share), index: { $0 }) { contents in
              found.withLock { found in
                for (chunk, content) in contents { found[chunk] = content }
              }
              progress?(contents.reduce(0) { $0 + UInt64(geometry.length(of: $1.chunk)) })
              return !isStopped()
            }
          })
      }
    } catch {
      for thread in threads { thread.join() }
      throw TransferError(noThread: error)
    }
    for thread in threads { thread.join() }
    return found.withLock { $0 }
  }
}

private final class Counter: Sendable {
  let value = Atomic<Int>(0)
}

/// What is left of some chunks, of which each of several threads takes a few and then the next that nobody has.
private struct SharedChunks: Sequence, IteratorProtocol {
  let chunks: [ChunkIndex]
  let counter: Counter
  let share: Int
  private var taken = 0..<0

  init(chunks: [ChunkIndex], counter: Counter, share: Int) {
    self.chunks = chunks
    self.counter = counter
    self.share = share
  }

  mutating func next() -> ChunkIndex? {
    if taken.isEmpty {
      let start = Swift.min(counter.value.add(1, ordering: .relaxed).oldValue * share, chunks.count)
      taken = start..<Swift.min(start + share, chunks.count)
    }
    return taken.popFirst().map { chunks[$0] }
  }
}
