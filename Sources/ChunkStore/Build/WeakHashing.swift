internal import ChunkCore
internal import ChunkSystem

/// Makes the weak hashes of a file's chunks on several threads. A hole is not read. Each thread takes a chunk's memory.
struct WeakHashing {
  let input: InputFile
  let geometry: ChunkGeometry
  let progress: HashingProgress

  /// One hash for each chunk, in order.
  func run(_ threadCount: Int) throws(StoreError) -> [UInt64] {
    let hashes = Lock([UInt64](repeating: 0, count: geometry.chunkCount))
    let failure = Lock<StoreError?>(nil)
    let batches = ChunkBatches(geometry: geometry)
    DedicatedThread.concurrently(threadCount, name: "weak") { [self] _ in
      let buffer = AlignedBuffer(capacity: geometry.chunkSize.bytes)
      var holes = HoleFinder(length: input.status.size)
      do throws(StoreError) {
        while failure.withLock({ $0 == nil }), let (_, chunks) = batches.take() {
          if progress.isCancelled { throw StoreError(.cancelled, "the hashing was stopped", path: input.path) }
          var made: [UInt64] = []
          for chunk in chunks { made.append(try hash(chunk, buffer, &holes)) }
          hashes.withLock { hashes in
            for (chunk, hash) in zip(chunks, made) { hashes[chunk.rawValue] = hash }
          }
          progress.add(geometry.range(of: chunks).count)
        }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return hashes.withLock { $0 }
  }

  private func hash(
    _ chunk: ChunkIndex, _ buffer: AlignedBuffer, _ holes: inout HoleFinder
  ) throws(StoreError) -> UInt64 {
    let range = geometry.range(of: chunk)
    // Zeros have the hash zero.
    if holes.isHole(range, in: input.file.descriptor) { return 0 }
    do throws(Errno) {
      // The buffer is this thread's own.
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[..<Int(range.count)])
      let count = try unsafe input.file.descriptor.pread(into: target, at: range.offset)
      if count == Int(range.count) { return unsafe buffer.withBytes { WeakHash.hash($0.extracting(first: count)) } }
    } catch {
      throw StoreError(error, "cannot read at byte \(range.offset)", path: input.path)
    }
    throw input.changed
  }
}
