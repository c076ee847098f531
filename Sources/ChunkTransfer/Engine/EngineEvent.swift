internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore

/// What other threads tell the engine. Events of one thread are handled in the order in which it posted them.
enum EngineEvent: Sendable {
  // From the survey of the disk.
  case found([ChunkIndex])
  case wanted([ChunkIndex])
  /// Where the frames of these chunks lie in the pack is known; told before they are wanted.
  case packed(Range<ChunkIndex>, isSmaller: Bool)
  case packIsUnusable(HTTPFailure)
  case surveyEnded
  case surveyFailed(TransferError)

  // From the loop threads, about one request.
  case answered(RequestID)
  case wholeBodyOffered(RequestID)
  case duplicatesNamed([HTTPURL], by: SourceID)
  case redirected(RequestID, location: String, Filling?, ChunkBuffer?)
  case sealed(ChunkIndex, by: RequestID)
  case ended(RequestID, RequestEnd, ReceivedBytes, Filling?)
  case bufferArrived(RequestID)

  // From the verify threads.
  case verified(SealedChunk.Arrival, from: SourceID?)
  case wrong(SealedChunk.Arrival, contributors: Set<SourceID>)
  case surplus(SealedChunk.Arrival)
  case placingFailed(TransferError)

  // From the search for a newer manifest.
  case manifestReplaced(TransferError)

  // From ordered output.
  case outputAdvanced(to: ChunkIndex)
  case outputEnded(TransferError?)

  // From the caller.
  case cancelled
}

/// What one request has brought.
struct ReceivedBytes: Sendable {
  /// As they came.
  var payload: UInt64 = 0
  /// The same, counted in bytes of the file.
  var content: UInt64 = 0
  /// Of the payload, what was of no use.
  var discarded: UInt64 = 0
}
