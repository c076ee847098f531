internal import ChunkCore
internal import ChunkStore

/// Takes every chunk as it comes, and notes what it was.
struct UnverifiedJudge: ChunkJudge {
  let partial: PartialFile
  let geometry: ChunkGeometry
  /// nil where no later run could use it.
  let learned: LearnedFile?

  func judge(_ chunks: [SealedChunk]) throws(TransferError) -> [ChunkOutcome] {
    do throws(StoreError) {
      for sealed in chunks {
        // The buffer is sealed, and lives as long as `sealed` does.
        let bytes = unsafe Span<UInt8>(_unsafeBytes: sealed.filling.buffer.sealedBytes)
        try partial.write(unverified: bytes, at: geometry.range(of: sealed.chunk).offset)
      }
    } catch {
      throw TransferError(error)
    }
    // After the bytes: an ID whose bytes are not there only costs a look.
    if let learned {
      let digests = BatchHasher.digests(of: chunks.map(\.filling.buffer), kernel: .best)
      for (sealed, digest) in zip(chunks, digests) { learned.write(digest, of: sealed.chunk) }
    }
    return chunks.map { _ in .placed }
  }
}
