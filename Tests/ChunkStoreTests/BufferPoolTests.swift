import ChunkCore
import ChunkStore
import ChunkSystem
import Synchronization
import Testing

@Suite struct BufferPoolTests {
  @Test(arguments: [
    (16 << 20, 256 << 10, 64), (1 << 20, 4 << 20, 2), (0, 4096, 2), (10_000, 4096, 2), (13_000, 4096, 3),
  ])
  func hasAsManyAsTheBudgetAllows(budget: Int, chunkSize: Int, count: Int) {
    #expect(BufferPool(budget: budget, chunkSize: chunkSize).capacity == count)
  }

  @Test func neverHandsOutMemoryTwice() {
    let pool = BufferPool(budget: 0, chunkSize: 4096, minimum: 3)
    var buffers = (0..<3).compactMap { _ in pool.take() }
    #expect(buffers.count == 3)
    #expect(pool.take() == nil)
    #expect(pool.available == 0)
    for (number, buffer) in buffers.enumerated() {
      #expect(buffer.append([UInt8](repeating: UInt8(number), count: 4096).span) == 4096)
      buffer.seal()
    }
    for (number, buffer) in buffers.enumerated() {
      #expect(buffer.content == [UInt8](repeating: UInt8(number), count: 4096))
    }
    let addresses = Set(buffers.map(\.address))
    buffers = []
    #expect(pool.available == 3)
    let again = (0..<3).compactMap { _ in pool.take() }
    #expect(Set(again.map(\.address)) == addresses)
  }

  @Test func aBufferIsInUseAsLongAsAVerifiedChunkHoldsIt() throws {
    let sample = try Sample(length: 4096)
    let pool = BufferPool(budget: 0, chunkSize: 4096, minimum: 1)
    var verdicts: [ChunkVerdict] = try {
      let buffer = try #require(pool.take())
      _ = buffer.append(sample.bytes.span)
      buffer.seal()
      return ChunkVerifier().verify([.init(index: ChunkIndex(0), expected: sample.ids[0], storage: buffer)])
    }()
    #expect(verdicts.count == 1)
    #expect(pool.take() == nil)
    verdicts = []
    #expect(pool.take() != nil)
  }

  @Test func whoWaitsGetsABufferInTurn() throws {
    let pool = BufferPool(budget: 0, chunkSize: 4096, minimum: 1)
    let got = Lock<[Int]>([])
    let kept = Lock<ChunkBuffer?>(nil)
    var first = pool.take()
    #expect(first != nil)
    // The first has no use for it any more and lets it go, the second keeps it, the third goes on waiting.
    pool.whenAvailable { _ in got.withLock { $0.append(1) } }
    pool.whenAvailable(length: 100) { buffer in
      got.withLock { $0.append(2) }
      kept.withLock { $0 = buffer }
    }
    pool.whenAvailable { _ in got.withLock { $0.append(3) } }
    #expect(got.withLock { $0 } == [])
    first = nil
    #expect(got.withLock { $0 } == [1, 2])
    #expect(kept.withLock { $0?.length } == 100)
    #expect(pool.take() == nil)
    var last = kept.withLock { kept in
      defer { kept = nil }
      return kept
    }
    #expect(last != nil)
    last = nil
    #expect(got.withLock { $0 } == [1, 2, 3])
    #expect(pool.available == 1)
    pool.whenAvailable { _ in got.withLock { $0.append(4) } }
    #expect(got.withLock { $0 } == [1, 2, 3, 4])
  }

  @Test func manyThreadsShareFewBuffers() async throws {
    let pool = BufferPool(budget: 0, chunkSize: 4096, minimum: 3)
    let inUse = Atomic(0)
    let most = Atomic(0)
    let turns = Monitor(0)
    try await DedicatedThread.run(name: "pool") {
      DedicatedThread.concurrently(4, name: "taker") { _ in
        for _ in 0..<500 {
          pool.whenAvailable { buffer in
            let now = inUse.add(1, ordering: .acquiringAndReleasing).newValue
            most.max(now, ordering: .relaxed)
            _ = buffer.append([1, 2, 3].span)
            inUse.subtract(1, ordering: .acquiringAndReleasing)
            turns.change { $0 += 1 }
          }
        }
      }
      turns.wait { $0 == 2000 ? () : nil }
    }
    #expect(most.load(ordering: .relaxed) <= 3)
    #expect(pool.available == 3)
  }

  @Test func takesBytesUpToTheLengthOfTheChunk() throws {
    let pool = BufferPool(budget: 0, chunkSize: 4096)
    let buffer = try #require(pool.take(length: 5))
    #expect(buffer.append([1, 2, 3].span) == 3)
    #expect(buffer.missing == 2)
    #expect(buffer.append([4, 5, 6, 7].span) == 2)
    #expect(buffer.append([8].span) == 0)
    buffer.begin(length: 2)
    #expect(buffer.filled == 0)
    #expect(buffer.append([9, 8, 7].span) == 2)
    buffer.seal()
    #expect(buffer.content == [9, 8])
  }

  @Test func aSealedBufferIsNotWritten() async {
    await #expect(processExitsWith: .failure) {
      let buffer = BufferPool(budget: 0, chunkSize: 4096).take()
      buffer?.seal()
      _ = buffer?.append([1].span)
    }
  }
}

extension ChunkBuffer {
  fileprivate var content: [UInt8] { unsafe Array(sealedBytes) }
  fileprivate var address: UInt { UInt(bitPattern: unsafe sealedAddress) }

  /// Where its memory is; it is sealed for that.
  private var sealedAddress: UnsafeRawPointer? {
    seal()
    return unsafe sealedBytes.baseAddress
  }
}
