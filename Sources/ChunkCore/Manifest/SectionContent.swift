/// What an encoder writes into a section, without a copy of it as bytes.
enum SectionContent: Sendable {
  case bytes([UInt8])
  case digests([SHA256Digest])
  case chunkIDs([ChunkID])
  case numbers([UInt64])

  /// How many digests are turned into bytes at a time: those of one leaf page.
  private static let digestsPerPiece = ChunkGeometry.chunksPerGroup

  /// Hands out the section's bytes in order, in pieces of at most 32 KiB where it is made of digests.
  func forEachPiece<Failure: Error>(_ body: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    switch self {
    case .bytes(let bytes): try body(bytes.span)
    case .digests(let digests): try Self.forEachPiece(count: digests.count, digest: { digests[$0] }, body)
    case .chunkIDs(let ids): try Self.forEachPiece(count: ids.count, digest: { ids[$0].digest }, body)
    case .numbers(let numbers):
      for start in stride(from: 0, to: numbers.count, by: Self.digestsPerPiece) {
        var bytes: [UInt8] = []
        for number in numbers[start..<min(start + Self.digestsPerPiece, numbers.count)] {
          bytes.appendLittleEndian(number)
        }
        try body(bytes.span)
      }
    }
  }

  private static func forEachPiece<Failure: Error>(
    count: Int, digest: (Int) -> SHA256Digest, _ body: (Span<UInt8>) throws(Failure) -> Void
  ) throws(Failure) {
    let size = SHA256Digest.byteCount
    var buffer = [UInt8](repeating: 0, count: min(count, digestsPerPiece) * size)
    for start in stride(from: 0, to: count, by: digestsPerPiece) {
      let piece = min(digestsPerPiece, count - start)
      var bytes = buffer.mutableSpan
      for position in 0..<piece {
        digest(start + position).write(into: &bytes, at: position * size)
      }
      try body(buffer.span.extracting(first: piece * size))
    }
  }

  /// The length of the section in bytes and its SHA-256.
  func measure() -> (length: UInt64, digest: SHA256Digest) {
    var length: UInt64 = 0
    var hasher = SHA256Hasher()
    forEachPiece { piece in
      length += UInt64(piece.count)
      hasher.update(piece)
    }
    return (length, hasher.finalize())
  }
}
