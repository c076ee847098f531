internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// Hashes chunks of a file on all cores.
struct ParallelScan {
  let geometry: ChunkGeometry
  let file: OpenFile

  /// Which of these chunks the file holds, right, at their offsets. Blocks until all are hashed or `isStopped` says
  /// to stop. What cannot be read is not there.
  func matching(
    _ chunks: [ExpectedChunk], isStopped: @escaping @Sendable () -> Bool,
    progress: (@Sendable (_ bytes: UInt64) -> Void)? = nil
  ) throws(TransferError) -> Set<ChunkIndex> {
    let shared = Shared()
    let share = (chunks.count + DedicatedThread.processorCount - 1) / DedicatedThread.processorCount
    var threads: [DedicatedThread] = []
    var start = 0
    do throws(Errno) {
      while start < chunks.count {
        let slice = chunks[start..<min(chunks.count, start + max(share, 1))]
        start = slice.endIndex
        threads.append(
          try DedicatedThread(name: "scan") { [geometry, file] in
            var scan = ChunkScan(geometry: geometry)
            scan.run(slice, in: file.descriptor) { findings in
              shared.add(findings)
              progress?(findings.reduce(0) { $0 + UInt64(geometry.length(of: $1.index)) })
              return !isStopped()
            }
          })
      }
    } catch {
      for thread in threads { thread.join() }
      throw TransferError(noThread: error)
    }
    for thread in threads { thread.join() }
    return shared.right
  }
}

/// What the threads of a scan have found.
private final class Shared: Sendable {
  private let found = Lock<Set<ChunkIndex>>([])

  func add(_ findings: [ScannedChunk]) {
    found.withLock { found in
      for finding in findings where finding.isRight { found.insert(finding.index) }
    }
  }

  var right: Set<ChunkIndex> { found.withLock { $0 } }
}
