internal import Synchronization

/// The IDs of chunks that are nothing but zeros: what a hole in a sparse file reads as.
package enum ZeroChunk {
  // A file asks for two lengths, its chunk size and its tail. The limit only matters to a process that handles very
  // many files; it then starts over.
  private static let maximumCached = 64
  private static let cache = Mutex<[Int: ChunkID]>([:])
  private static let zeros = [UInt8](repeating: 0, count: 64 << 10)

  /// The SHA-256 of `length` zero bytes. Any thread may ask; a length is hashed the first time only.
  ///
  /// - Precondition: `length` is not negative.
  package static func id(length: Int) -> ChunkID {
    precondition(length >= 0, "a length is not negative")
    if let known = cache.withLock({ $0[length] }) { return known }
    // Outside the lock: two threads may do the same work once, none waits for it.
    let id = ChunkID(digest(length: length))
    cache.withLock { cache in
      if cache.count >= maximumCached { cache.removeAll(keepingCapacity: true) }
      cache[length] = id
    }
    return id
  }

  private static func digest(length: Int) -> SHA256Digest {
    var hasher = SHA256Hasher()
    var left = length
    while left > 0 {
      let piece = min(left, zeros.count)
      hasher.update(zeros.span.extracting(first: piece))
      left -= piece
    }
    return hasher.finalize()
  }
}
