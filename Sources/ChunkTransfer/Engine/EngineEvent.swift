internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore

/// What other threads tell the engine. Events of one thread are handled in the order in which it posted them.
enum EngineEvent: Sendable {
  // From the survey of the disk.
  case found([ChunkIndex])
  case wanted([ChunkIndex])
  case surveyEnded
  case surveyFailed(TransferError)

  // From the loop threads, about one request.
  case answered(RequestID)
  case wholeBodyOffered(RequestID)
  case duplicatesNamed([HTTPURL], by: SourceID)
  case redirected(RequestID, location: String, Filling?, ChunkBuffer?)
  case sealed(ChunkIndex, by: RequestID)
  case ended(RequestID, RequestEnd, received: UInt64, discarded: UInt64, Filling?)
  case bufferArrived(RequestID)

  // From the verify threads.
  case verified(ChunkIndex, from: SourceID?)
  case wrong(ChunkIndex, contributors: Set<SourceID>)
  case surplus(ChunkIndex)
  case placingFailed(TransferError)

  // From the search for a newer manifest.
  case manifestReplaced(TransferError)

  // From ordered output.
  case outputAdvanced(to: ChunkIndex)
  case outputEnded(TransferError?)

  // From the caller.
  case cancelled
}

/// A chunk while its bytes arrive: the buffer, and whose bytes are in it.
struct Filling: Sendable {
  let chunk: ChunkIndex
  let buffer: ChunkBuffer
  var contributors: Set<SourceID>
}

/// A chunk of which every byte arrived, on its way to the verdict.
struct SealedChunk: Sendable {
  let filling: Filling
  let request: RequestID

  var chunk: ChunkIndex { filling.chunk }
}
