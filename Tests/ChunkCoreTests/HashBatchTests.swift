import ChunkCore
import Testing

@Suite struct HashBatchTests {
  @Test(arguments: HashKernel.available, [0, 1, 2, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 100])
  func hashesAnyNumberOfChunks(kernel: HashKernel, count: Int) {
    var random = HashTestRandom(seed: UInt64(count))
    let storages = (0..<count).map { place in
      HashTestStorage(random.bytes(count: 2048), misalignedBy: place % 64)
    }
    #expect(BatchHasher.digests(of: storages, kernel: kernel) == storages.map(\.expected))
  }

  @Test(arguments: HashKernel.available, 0..<20)
  func keepsTheOrderOfChunksOfAnyLengths(kernel: HashKernel, seed: Int) {
    var random = HashTestRandom(seed: UInt64(seed))
    let count = Int.random(in: 1...50, using: &random)
    let storages = (0..<count).map { _ in
      // Mostly one length, as in a download; then some of any length, and some empty.
      let length =
        switch Int.random(in: 0..<4, using: &random) {
        case 0: Int.random(in: 0...5000, using: &random)
        case 1: Int.random(in: 0...1, using: &random)
        default: 4096
        }
      return HashTestStorage(random.bytes(count: length), misalignedBy: Int.random(in: 0..<64, using: &random))
    }
    #expect(BatchHasher.digests(of: storages, kernel: kernel) == storages.map(\.expected))
  }

  @Test(arguments: HashKernel.available)
  func takesTheSameChunkTwice(kernel: HashKernel) {
    let storage = HashTestStorage([UInt8](repeating: 7, count: 1000))
    let storages = Array(repeating: storage, count: 20)
    #expect(BatchHasher.digests(of: storages, kernel: kernel) == Array(repeating: storage.expected, count: 20))
  }

  @Test func lendsItsBytes() {
    let storage = HashTestStorage([1, 2, 3], misalignedBy: 5)
    #expect(storage.withSealedBytes { bytes in bytes.indices.map { bytes[$0] } } == [1, 2, 3])
  }
}
