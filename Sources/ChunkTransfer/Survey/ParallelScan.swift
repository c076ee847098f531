internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// Hashes chunks of a file on all cores.
struct ParallelScan {
  let geometry: ChunkGeometry
  let file: OpenFile

  /// What the file has at the places of these chunks. Blocks until all are hashed or `isStopped` says to stop; what was not
  /// looked at then is not in the result.
  func contents(
    of chunks: [ChunkIndex], isStopped: @escaping @Sendable () -> Bool,
    progress: (@Sendable (_ bytes: UInt64) -> Void)? = nil
  ) throws(TransferError) -> [ChunkIndex: ChunkContent] {
    let found = Lock<[ChunkIndex: ChunkContent]>([:])
    let share = (chunks.count + DedicatedThread.processorCount - 1) / DedicatedThread.processorCount
    var threads: [DedicatedThread] = []
    var start = 0
    do throws(Errno) {
      while start < chunks.count {
        let slice = chunks[start..<min(chunks.count, start + max(share, 1))]
        start = slice.endIndex
        threads.append(
          try DedicatedThread(name: "scan") { [geometry, file] in
            var scan = ContentScan(geometry: geometry)
            scan.run(slice, index: { $0 }, in: file.descriptor) { contents in
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
