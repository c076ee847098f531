internal import ChunkCore
internal import ChunkStore

/// A chunk while its bytes arrive: the buffer, and whose bytes are in it.
struct Filling: Sendable {
  let chunk: ChunkIndex
  let buffer: ChunkBuffer
  var contributors: Set<SourceID>
  /// Where its bytes arrive first, when they come as a frame.
  var frame: ChunkBuffer?

  /// How many bytes of the chunk, or of its frame, have come.
  var arrived: Int { frame?.filled ?? buffer.filled }

  /// Whether as many have come as there can be.
  var isComplete: Bool { (frame ?? buffer).missing == 0 }
}

/// A chunk of which every byte arrived, on its way to the verdict.
struct SealedChunk: Sendable {
  /// Which it is, and how many bytes came for it.
  struct Arrival: Sendable {
    let chunk: ChunkIndex
    let received: UInt64
  }

  private(set) var filling: Filling
  let request: RequestID
  let arrival: Arrival

  init(filling: Filling, request: RequestID) {
    self.filling = filling
    self.request = request
    arrival = Arrival(chunk: filling.chunk, received: UInt64(filling.arrived))
    (filling.frame ?? filling.buffer).seal()
  }

  var chunk: ChunkIndex { filling.chunk }

  /// Has the chunk in its buffer, unpacked if it came as a frame; false when that is no frame of such a chunk. On a thread that
  /// may take its time.
  mutating func unpack() -> Bool {
    guard let frame = filling.frame else { return true }
    filling.frame = nil
    // The frame is sealed and held until the closure has returned.
    let isUnpacked = filling.buffer.fill { chunk in
      let bytes = unsafe Span<UInt8>(_unsafeBytes: frame.sealedBytes)
      return PackFrame.decompress(bytes, into: &chunk)
    }
    filling.buffer.seal()
    return isUnpacked
  }
}
