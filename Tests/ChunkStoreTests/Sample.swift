import ChunkCore
import ChunkStore
import ChunkSystem
import Testing

/// A file of pseudo-random bytes in chunks of 4 KiB, and what is known of it.
struct Sample: Sendable {
  static let chunkSize = ChunkSize.minimum

  let bytes: [UInt8]
  let geometry: ChunkGeometry
  let ids: [ChunkID]

  init(bytes: [UInt8]) throws {
    self.bytes = bytes
    let geometry = try ChunkGeometry(fileLength: UInt64(bytes.count), chunkSize: Self.chunkSize)
    self.geometry = geometry
    ids = geometry.chunks.map { chunk in
      ChunkID(SHA256Hasher.hash(bytes.span.extracting(geometry.range(of: chunk).indices)))
    }
  }

  /// `length` bytes that differ from seed to seed; the chunks numbered in `zeros` are zeros.
  init(length: Int, seed: UInt64 = 1, zeros: Range<Int> = 0..<0) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes = (0..<length).map { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    for index in zeros.lowerBound * 4096..<min(zeros.upperBound * 4096, length) { bytes[index] = 0 }
    try self.init(bytes: bytes)
  }

  var expected: [ExpectedChunk] {
    zip(geometry.chunks, ids).map { ExpectedChunk(index: $0, id: $1) }
  }

  /// Chunks as they come from the network: filled into a buffer, sealed and verified.
  func verified(_ numbers: some Sequence<Int>) throws -> [VerifiedChunk] {
    let numbers = Array(numbers)
    let pool = BufferPool(budget: 0, chunkSize: 4096, minimum: max(1, numbers.count))
    let candidates = try numbers.map { number in
      let buffer = try #require(pool.take(length: geometry.length(of: ChunkIndex(number))))
      let range = geometry.range(of: ChunkIndex(number)).indices
      #expect(buffer.append(bytes.span.extracting(range)) == range.count)
      buffer.seal()
      return ChunkCandidate(index: ChunkIndex(number), expected: ids[number], storage: buffer)
    }
    return try ChunkVerifier().verify(candidates).map { verdict in
      guard case .verified(let chunk) = verdict else { throw NotVerified() }
      return chunk
    }
  }

  struct NotVerified: Error {}
}

extension ByteRange {
  var indices: Range<Int> { Int(offset)..<Int(end) }
}

extension Sample {
  /// The chunks of a file that are right.
  func rightChunks(in file: OpenFile) -> [Int] {
    var scan = ChunkScan(FileReader(file), geometry: geometry)
    var right: [Int] = []
    scan.run(expected) { findings in
      right += findings.filter(\.isRight).map(\.index.rawValue)
      return true
    }
    return right.sorted()
  }
}
