/// Running totals of a transfer.
struct EngineCounters: Sendable {
  var reusedBytes: UInt64 = 0
  var fetchedBytes: UInt64 = 0
  /// Of these, what came for them.
  var usedBytes: UInt64 = 0
  var discardedBytes: UInt64 = 0
  var endedBytes: UInt64 = 0
  var requests = 0
}

/// What an observer may know of a running transfer.
struct EngineState: Sendable {
  let counters: EngineCounters
  let receivedBytes: UInt64
  let verifiedChunks: Int
  let openRequests: Int
  let sources: [Source]
}
