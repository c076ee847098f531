package import ChunkCore
package import ChunkSystem

/// Chunks by their IDs, shared by many.
///
/// A name is a claim: what a store has under it may be wrong or torn, and whoever reads it hashes it. So reading gives bytes that
/// nobody has looked at, ``get(_:length:)`` those that were; and only a ``VerifiedChunk`` can be put in. What is absent, cannot
/// be read or is wrong is all the same: missing. `Sendable`; any thread may call anything, and so may other processes
/// that use the same store.
package protocol ChunkStoring: Sendable {
  /// Whether there is something under the name.
  func contains(_ id: ChunkID) -> Bool

  /// How many claims there may be of one chunk. One that is wrong says nothing about the next.
  var claimCount: Int { get }

  /// Fills the buffer with what is claimed to be the chunk.
  ///
  /// - Parameters:
  ///   - claim: Which of them, from zero to below ``claimCount``; the likelier ones come first.
  ///   - id: The name.
  ///   - buffer: Has the length of the chunk; is not sealed. What it holds when this fails is not known.
  /// - Returns: Whether there was something of this length.
  func read(claim: Int, of id: ChunkID, into buffer: ChunkBuffer) -> Bool

  /// A file that is claimed to be nothing but the chunk, so that the kernel can copy it; `nil` where there is none.
  func file(of id: ChunkID) -> OpenFile?

  /// Keeps the chunk, whatever was there under its name.
  ///
  /// - Throws: ``StoreError`` when it cannot; what was there before is there still.
  func put(_ chunk: VerifiedChunk) throws(StoreError)

  /// Keeps the chunk unless it is there already, right: that is hashed, and not believed.
  ///
  /// - Returns: Whether anything was put in.
  /// - Throws: As ``put(_:)``.
  func add(_ chunk: VerifiedChunk) throws(StoreError) -> Bool
}

extension ChunkStoring {
  package func add(_ chunk: VerifiedChunk) throws(StoreError) -> Bool { try addIfMissing(chunk) }

  /// What ``add(_:)`` is where one form of a chunk is as good as another.
  func addIfMissing(_ chunk: VerifiedChunk) throws(StoreError) -> Bool {
    let length = chunk.storage.withSealedBytes { $0.count }
    if contains(chunk.id), get(ExpectedChunk(index: chunk.index, id: chunk.id), length: length) != nil { return false }
    try put(chunk)
    return true
  }

  /// The chunk of `length` bytes, hashed; `nil` when it is missing.
  package func get(_ chunk: ExpectedChunk, length: Int) -> VerifiedChunk? {
    for claim in 0..<claimCount {
      // A buffer that was hashed is not written again, so each claim gets one of its own.
      guard let buffer = BufferPool(budget: length, chunkSize: length, minimum: 1).take(),
        read(claim: claim, of: chunk.id, into: buffer)
      else { continue }
      buffer.seal()
      let candidate = ChunkCandidate(index: chunk.index, expected: chunk.id, storage: buffer)
      if case .verified(let found)? = ChunkVerifier().verify([candidate]).first { return found }
    }
    return nil
  }
}
