/// Bytes that are said to be a chunk, not looked at yet.
package struct ChunkCandidate: Sendable {
  package let index: ChunkIndex
  package let expected: ChunkID
  package let storage: any ChunkStorage

  package init(index: ChunkIndex, expected: ChunkID, storage: any ChunkStorage) {
    self.index = index
    self.expected = expected
    self.storage = storage
  }
}

/// What became of a candidate. A wrong chunk is an expected outcome, not an error.
package enum ChunkVerdict: Sendable {
  case verified(VerifiedChunk)
  case wrong(index: ChunkIndex, expected: ChunkID, actual: ChunkID)
}

/// Hashes candidates and tells which are right.
///
/// It takes a batch, since a kernel hashes up to 16 chunks at once in the time of few. Whether the storage has the
/// length of the chunk is not asked: if it has not, its hash differs.
package struct ChunkVerifier: Sendable {
  private let kernel: HashKernel

  package init(kernel: HashKernel = .best) {
    self.kernel = kernel
  }

  /// One verdict for each candidate, in their order. Blocks for as long as hashing takes; any thread may call it.
  ///
  /// - Precondition: Every storage is sealed.
  package func verify(_ batch: [ChunkCandidate]) -> [ChunkVerdict] {
    let digests = BatchHasher.digests(of: batch.map(\.storage), kernel: kernel)
    return zip(batch, digests).map { candidate, digest in
      let actual = ChunkID(digest)
      guard actual == candidate.expected else {
        return .wrong(index: candidate.index, expected: candidate.expected, actual: actual)
      }
      return .verified(VerifiedChunk(index: candidate.index, id: actual, storage: candidate.storage))
    }
  }
}
