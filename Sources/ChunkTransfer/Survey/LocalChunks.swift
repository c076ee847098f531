internal import ChunkCore
internal import ChunkStore

/// A place on this machine that missing chunks may be had from: a seed, a store.
///
/// Places are asked in their order, before the network is. Several threads may call at once, also for chunks of one group.
/// Each method may block; when `isStopped` says so, it returns soon with whatever it has.
protocol LocalChunks: Sendable {
  /// Finds out what the place has, where that takes long; called, by several threads, before a page of chunk IDs is asked of
  /// the network, as it may turn out not to be needed.
  func prepare(isStopped: @escaping @Sendable () -> Bool)

  /// Those of the chunks that this place may have: what it does not return is asked of the network at once. So this looks
  /// up names and reads no chunks; and where a place must first find out what it has, it waits here until it knows.
  func candidates(
    among chunks: [ExpectedChunk], isStopped: @escaping @Sendable () -> Bool
  ) throws(TransferError) -> [ExpectedChunk]

  /// Puts those of the chunks that this place really has where they belong.
  ///
  /// - Parameters:
  ///   - chunks: Of one group, ascending; not all are among this place's candidates. Until this returns nobody else writes
  ///     to them.
  ///   - delivery: Where they go.
  /// - Returns: Those that are there now, verified.
  /// - Throws: When the destination fails. A chunk that cannot be read is one that this place does not have.
  func deliver(_ chunks: [ExpectedChunk], to delivery: LocalDelivery) throws(TransferError) -> [ChunkIndex]
}

extension LocalChunks {
  func prepare(isStopped: @escaping @Sendable () -> Bool) {}
}
