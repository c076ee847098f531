internal import CHashKernels

/// Computes SHA-256 of whole chunks that lie in memory, as many at a time as the kernel takes.
package enum BatchHasher {
  /// The digests of `chunks`, in their order.
  ///
  /// Any number of chunks of any lengths. The lanes of the kernel stay filled as long as there are chunks left, the
  /// longest are begun first, and the last few go to whatever engine is fastest for so few. Blocks the calling thread:
  /// 16 chunks of 256 KiB take about a millisecond.
  ///
  /// - Precondition: `kernel` is one of ``HashKernel/available``.
  package static func digests(of chunks: [any ChunkStorage], kernel: HashKernel) -> [SHA256Digest] {
    precondition(HashKernel.available.contains(kernel), "this CPU does not have the hash kernel \(kernel.name)")
    guard let engine = kernel.engine else {
      return chunks.map { chunk in chunk.withSealedBytes { bytes in SHA256Hasher.hash(bytes) } }
    }
    return digests(of: chunks, engine: engine)
  }

  private static func digests(of chunks: [any ChunkStorage], engine: chk_kernel) -> [SHA256Digest] {
    // Sorting is stable and chunks mostly have one length, so mostly this is 0, 1, 2 and so on.
    let order = chunks.indices.sorted { left, right in
      unsafe chunks[left].sealedBytes.count > chunks[right].sealedBytes.count
    }
    var lanes = [chk_lane](repeating: chk_lane(), count: chunks.count)
    let pieces = unsafe order.map { index in
      let bytes = unsafe chunks[index].sealedBytes
      return unsafe chk_piece(bytes: bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), count: bytes.count)
    }
    // As many lanes as pieces, and each piece is what a chunk of `chunks` vouches for; they live until the end of this call.
    unsafe lanes.withUnsafeMutableBufferPointer { lanes in
      unsafe pieces.withUnsafeBufferPointer { pieces in
        guard let lanes = lanes.baseAddress, let first = pieces.baseAddress else { return }
        unsafe chk_start(lanes, pieces.count)
        unsafe chk_absorb(engine, lanes, first, pieces.count)
      }
    }
    extendLifetime(chunks)

    let sorted = lanes.finish(engine: engine, count: chunks.count)
    var digests = sorted
    for (place, index) in order.enumerated() { digests[index] = sorted[place] }
    return digests
  }
}
