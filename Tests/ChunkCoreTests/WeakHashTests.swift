import ChunkCore
import Testing

/// The rolling hash of the `weak` column.
struct WeakHashTests {
  private struct Vectors: Decodable {
    struct Hash: Decodable {
      let content: VectorContent
      let weak: String
    }

    struct Rolled: Decodable {
      let content: VectorContent
      let window: Int
      let weak: [String]
    }

    let hashes: [Hash]
    let rolled: [Rolled]
  }

  private func number(_ hexadecimal: String) throws -> UInt64 {
    try #require(UInt64(hexadecimal, radix: 16))
  }

  @Test("hashes are those of the reference")
  func vectors() throws {
    for vector in try SpecVectors.load("weak.json", as: Vectors.self).hashes {
      let bytes = vector.content.bytes
      #expect(WeakHash.hash(bytes.span) == (try number(vector.weak)), "\(vector.content.length) bytes")
    }
  }

  @Test("rolled from offset to offset they are the same, and each is found where it is")
  func rolled() throws {
    for vector in try SpecVectors.load("weak.json", as: Vectors.self).rolled {
      let bytes = vector.content.bytes
      for (offset, text) in vector.weak.enumerated() {
        let hash = try number(text)
        #expect(WeakHash.hash(bytes.span.extracting(offset..<offset + vector.window)) == hash)
        let first = try #require(vector.weak.firstIndex(of: text))
        let found = WeakHashSet([hash, .max, .max - 1]).first(vector.window, in: bytes.span, from: 0)
        #expect(hash == 0 || found?.offset == first && found?.hash == hash)
        let next = WeakHashSet([hash]).first(vector.window, in: bytes.span, from: offset)
        #expect(hash == 0 || next?.offset == offset)
      }
    }
  }

  @Test("nothing is found where there is nothing, and zero is never looked for")
  func nothing() {
    let bytes = [UInt8](repeating: 0, count: 300)
    #expect(WeakHashSet([0]).first(16, in: bytes.span, from: 0) == nil)
    #expect(WeakHashSet([]).first(16, in: bytes.span, from: 0) == nil)
    #expect(WeakHashSet([1]).first(301, in: bytes.span, from: 0) == nil)
    #expect(WeakHashSet([1]).first(16, in: bytes.span, from: 300) == nil)
  }

  @Test("every one of many is found")
  func many() {
    let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 31 >> 3) }
    let hashes = (0..<1000).map { WeakHash.hash(bytes.span.extracting($0 * 5..<$0 * 5 + 5)) }
    let set = WeakHashSet(hashes)
    for offset in stride(from: 0, to: 5000, by: 5) {
      let found = set.first(5, in: bytes.span, from: offset)
      #expect(found?.offset == offset || hashes[offset / 5] == 0)
    }
  }
}
