import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Chunks for stores to keep.
enum StoreSample {
  /// Chunks of several lengths, that can be compressed and that cannot.
  static let contents: [[UInt8]] = {
    var random = SeededRandom(seed: 11)
    return [
      random.bytes(count: 4096), random.bytes(count: 1), random.bytes(count: 70_001),
      Array("all work and no play ".utf8.repeated(5000).prefix(65_536)), [UInt8](repeating: 7, count: 256 << 10),
    ]
  }()

  static func id(_ bytes: [UInt8]) -> ChunkID { ChunkID(SHA256Hasher.hash(bytes.span)) }

  /// The bytes as the verifier would hand them on.
  static func chunk(_ bytes: [UInt8], at index: Int = 0) throws -> VerifiedChunk {
    let buffer = try #require(BufferPool(budget: bytes.count, chunkSize: max(1, bytes.count)).take(length: bytes.count))
    _ = buffer.append(bytes.span)
    buffer.seal()
    let candidate = ChunkCandidate(index: ChunkIndex(index), expected: id(bytes), storage: buffer)
    guard case .verified(let chunk)? = ChunkVerifier().verify([candidate]).first else {
      throw StoreError(.other, "the sample does not verify", path: "")
    }
    return chunk
  }

  static func bytes(_ chunk: VerifiedChunk?) -> [UInt8]? {
    chunk.map { chunk in
      defer { extendLifetime(chunk) }
      return unsafe Array(chunk.storage.sealedBytes)
    }
  }
}

extension VerifiedChunk {
  var expected: ExpectedChunk { ExpectedChunk(index: index, id: id) }
}

extension Collection<UInt8> {
  func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in Array(self) } }
}
