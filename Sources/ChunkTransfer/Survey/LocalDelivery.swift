internal import ChunkCore
internal import ChunkStore

/// Where chunks that are on this machine go, and the buffers they go through. Each thread has one of its own.
struct LocalDelivery: Sendable {
  let geometry: ChunkGeometry
  /// Gets what has been read and verified.
  private(set) var sink: any ChunkSink
  /// The file that blocks may be shared with, whose bytes must be hashed there before they count; nil when the output
  /// is a stream.
  let partial: PartialFile?
  let isStopped: @Sendable () -> Bool
  /// Of ordered output, a chunk keeps its buffer until it is put out. One of them is more than `batch`, as the one that
  /// has just been put out may not be back yet.
  private let buffers: BufferPool
  private let verifier = ChunkVerifier()

  /// Delivery with `budget` bytes of buffers, but two buffers at least.
  init(
    geometry: ChunkGeometry, sink: any ChunkSink, partial: PartialFile?, budget: Int,
    isStopped: @escaping @Sendable () -> Bool
  ) {
    self.geometry = geometry
    self.sink = sink
    self.partial = partial
    self.isStopped = isStopped
    buffers = BufferPool(budget: budget, chunkSize: geometry.chunkSize.bytes)
  }

  /// The same, through the same buffers to another place.
  func placing(in sink: any ChunkSink) -> LocalDelivery {
    var delivery = self
    delivery.sink = sink
    return delivery
  }

  /// How many chunks are read, hashed side by side, and written together.
  var batch: Int { buffers.capacity - 1 }

  /// Reads the chunks into buffers, verifies them, and hands those that are right to the sink.
  ///
  /// - Parameters:
  ///   - chunks: Ascending.
  ///   - read: Fills the buffer with the chunk's bytes and says whether it could. What it filled in is hashed and may be
  ///     anything: the chunk is right or it is not delivered.
  /// - Returns: Those that were right.
  /// - Throws: When the sink does.
  func place(
    _ chunks: [ExpectedChunk], read: (ExpectedChunk, ChunkBuffer) -> Bool
  ) throws(TransferError) -> [ChunkIndex] {
    var placed: [ChunkIndex] = []
    var rest = chunks[...]
    while !rest.isEmpty, !isStopped() {
      let candidates = rest.prefix(batch).compactMap { chunk in candidate(chunk, read) }
      rest = rest.dropFirst(batch)
      var right: [VerifiedChunk] = []
      for verdict in verifier.verify(candidates) {
        if case .verified(let chunk) = verdict { right.append(chunk) }
      }
      guard !right.isEmpty else { continue }
      try sink.place(right)
      placed += right.map(\.index)
    }
    return placed
  }

  private func candidate(
    _ chunk: ExpectedChunk, _ read: (ExpectedChunk, ChunkBuffer) -> Bool
  ) -> ChunkCandidate? {
    guard let buffer = buffers.take(length: geometry.length(of: chunk.index)), read(chunk, buffer) else { return nil }
    buffer.seal()
    return ChunkCandidate(index: chunk.index, expected: chunk.id, storage: buffer)
  }
}
