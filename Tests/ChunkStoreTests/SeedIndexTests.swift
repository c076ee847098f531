import ChunkCore
import ChunkStore
import Testing

struct SeedIndexTests {
  private func id(_ number: Int) -> ChunkID {
    let text = Array("\(number)".utf8)
    return ChunkID(SHA256Hasher.hash(text.span))
  }

  private let zeros = ZeroChunk.id(length: 4096)

  @Test(
    "every chunk is found at its own place, else at the first that has it; nothing else is",
    arguments: [0, 1, 2, 1000, 5000])
  func lookup(count: Int) {
    // Each twice.
    let ids = (0..<count).map { id($0 / 2) }
    let index = SeedIndex(prefixes: ids.map { SeedIndex.prefix(of: $0, zeros: zeros) })
    #expect(index.count == count)
    for place in 0..<count {
      #expect(index.place(of: ids[place], own: place) == place)
      #expect(index.place(of: ids[place], own: .max) == place / 2 * 2)
    }
    #expect(index.place(of: id(count), own: 0) == nil)
  }

  @Test("chunks of zeros, and those that cannot be read, are left out")
  func leftOut() {
    let index = SeedIndex(prefixes: [nil, zeros, id(1)].map { SeedIndex.prefix(of: $0, zeros: zeros) })
    #expect(index.place(of: zeros, own: 1) == nil)
    #expect(index.place(of: id(1), own: 1) == 2)
  }
}
