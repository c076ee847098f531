import ChunkCore
import Testing

@Suite struct SHA256DigestTests {
  private let hex = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  private let bytes = [UInt8](0..<32)

  @Test func printsItsBytesInOrder() throws {
    let digest = SHA256Digest(bytes.span)
    #expect(digest.hex == hex)
    #expect(digest.description == hex)
    #expect(digest.bytes == bytes)
    #expect(SHA256Digest(hex: hex) == digest)
    #expect(SHA256Digest(hex: hex.uppercased()) == digest)
  }

  @Test func writesItsBytesAtAnyOffset() {
    var target = [UInt8](repeating: 0xFF, count: 35)
    var span = target.mutableSpan
    SHA256Digest(bytes.span).write(into: &span, at: 1)
    #expect(target == [0xFF] + bytes + [0xFF, 0xFF])
  }

  @Test(arguments: ["", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65)])
  func refusesAnotherNumberOfDigits(text: String) {
    #expect(SHA256Digest(hex: text) == nil)
  }

  @Test(arguments: [" ", "g", "/", ":", "@", "G", "`", "-", "+", "\0"])
  func refusesWhatIsNoDigit(character: String) {
    for position in [0, 31, 63] {
      let zeros = String(repeating: "0", count: 63)
      #expect(SHA256Digest(hex: zeros.prefix(position) + character + zeros.dropFirst(position)) == nil)
    }
  }

  @Test func refusesCharactersOfManyBytes() {
    #expect(SHA256Digest(hex: String(repeating: "é", count: 32)) == nil)
    #expect(SHA256Digest(hex: String(repeating: "０", count: 64)) == nil)
  }

  @Test func sortsAsItsBytes() throws {
    var low = bytes
    for position in [0, 7, 8, 15, 16, 23, 24, 31] {
      var high = low
      high[position] = 0x80
      #expect(SHA256Digest(low.span) < SHA256Digest(high.span))
      #expect(!(SHA256Digest(high.span) < SHA256Digest(low.span)))
      low[position] = 0
    }
    #expect(!(SHA256Digest(low.span) < SHA256Digest(low.span)))
  }

  @Test func chunkIDPrintsWhatSha256sumPrints() throws {
    let abc = ChunkID(SHA256Hasher.hash(Array("abc".utf8).span))
    #expect(abc.hex == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(abc.description == abc.hex)
    #expect(abc.short == "ba7816bf8f01")
    #expect(ChunkID(hex: abc.hex) == abc)
    #expect(ChunkID(hex: abc.short) == nil)
  }
}
