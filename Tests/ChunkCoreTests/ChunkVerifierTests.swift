import ChunkCore
import Testing

@Suite struct ChunkVerifierTests {
  /// Bytes in memory of their own that nobody writes to.
  @safe private final class Bytes: ChunkStorage, @unchecked Sendable {
    // Unchecked because of the pointer: the memory is written in the initialiser and freed with the object.
    private let memory: UnsafeMutableRawBufferPointer

    init(_ bytes: [UInt8]) {
      unsafe memory = .allocate(byteCount: bytes.count, alignment: 64)
      unsafe memory.copyBytes(from: bytes)
    }

    deinit {
      unsafe memory.deallocate()
    }

    var sealedBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(memory) }
  }

  private func candidate(_ index: Int, _ bytes: [UInt8], of expected: [UInt8]) -> ChunkCandidate {
    ChunkCandidate(
      index: ChunkIndex(index), expected: ChunkID(SHA256Hasher.hash(expected.span)), storage: Bytes(bytes))
  }

  @Test func tellsRightChunksFromWrongOnesInOrder() throws {
    let contents = (0..<37).map { [UInt8](repeating: UInt8($0), count: $0 * 113) }
    let batch = contents.indices.map { index in
      var bytes = contents[index]
      if index % 5 == 4 { bytes[index] ^= 1 }
      return candidate(index, bytes, of: contents[index])
    }
    let verdicts = ChunkVerifier().verify(batch)
    #expect(verdicts.count == batch.count)
    for (index, verdict) in verdicts.enumerated() {
      switch verdict {
      case .verified(let chunk):
        #expect(index % 5 != 4)
        #expect(chunk.index == ChunkIndex(index))
        #expect(chunk.id == batch[index].expected)
        #expect(chunk.storage === batch[index].storage)
      case .wrong(let wrong, let expected, let actual):
        #expect(index % 5 == 4)
        #expect(wrong == ChunkIndex(index))
        #expect(expected == batch[index].expected)
        #expect(actual != expected)
      }
    }
  }

  @Test func anotherLengthIsAnotherChunk() {
    let verdicts = ChunkVerifier().verify([
      candidate(0, [0, 0], of: [0]), candidate(1, [], of: [0]), candidate(2, [0], of: []), candidate(3, [], of: []),
    ])
    let verified = verdicts.map { if case .verified = $0 { true } else { false } }
    #expect(verified == [false, false, false, true])
  }

  @Test func anEmptyBatchHasNoVerdicts() {
    #expect(ChunkVerifier().verify([]).isEmpty)
  }
}
