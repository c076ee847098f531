internal import ChunkCore
internal import ChunkStore

/// Verified mode: the manifest decides, and only `VerifiedChunk`s reach the sink.
struct ManifestJudge: ChunkJudge {
  let pages: LeafPages
  /// For chunks of groups that the survey has not come to: a stream of the whole file brings such.
  let pageSource: any LeafPageSource
  let geometry: ChunkGeometry
  let sink: any ChunkSink
  let verifier = ChunkVerifier()

  func judge(_ chunks: [SealedChunk]) throws(TransferError) -> [ChunkOutcome] {
    var candidates: [ChunkCandidate] = []
    for sealed in chunks {
      let id = try expectedID(of: sealed.chunk)
      candidates.append(ChunkCandidate(index: sealed.chunk, expected: id, storage: sealed.filling.buffer))
    }
    var right: [VerifiedChunk] = []
    var outcomes: [ChunkOutcome] = []
    for verdict in verifier.verify(candidates) {
      switch verdict {
      case .verified(let chunk):
        right.append(chunk)
        outcomes.append(.placed)
      case .wrong:
        outcomes.append(.wrong)
      }
    }
    if !right.isEmpty { try sink.place(right) }
    return outcomes
  }

  private func expectedID(of chunk: ChunkIndex) throws(TransferError) -> ChunkID {
    if let id = pages.id(of: chunk) { return id }
    return try pageSource.page(group: geometry.group(of: chunk))[chunk]
  }
}
