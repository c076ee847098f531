import ChunkCore
import Testing

@Suite struct SHA256HasherTests {
  private static let ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
  /// FIPS 180-4 example of two blocks.
  private static let message = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
  private static let digest = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"

  @Test func hashesNothing() {
    #expect(SHA256Hasher().finalize().hex == Self.ofNothing)
    #expect(SHA256Hasher.hash(Self.message.span.extracting(first: 0)).hex == Self.ofNothing)
  }

  @Test func doesNotMindHowAMessageIsCut() {
    #expect(SHA256Hasher.hash(Self.message.span).hex == Self.digest)
    for cut in 0...Self.message.count {
      var hasher = SHA256Hasher()
      hasher.update(Self.message.span.extracting(first: cut))
      hasher.update(Self.message.span.extracting(droppingFirst: cut))
      #expect(hasher.finalize().hex == Self.digest)
    }
  }

  @Test func startsAnewAfterAReset() {
    var hasher = SHA256Hasher()
    hasher.update([1, 2, 3].span)
    _ = hasher.finalizeAndReset()
    hasher.update(Self.message.span)
    #expect(hasher.finalizeAndReset().hex == Self.digest)
    #expect(hasher.finalize().hex == Self.ofNothing)
  }

  /// Every chunk size, whose IDs are a table, and lengths on both sides of them, which are hashed.
  @Test(arguments: (12...22).flatMap { [(1 << $0) - 1, 1 << $0, (1 << $0) + 1] } + [0, 1, 200_000])
  func knowsTheIDOfZeros(length: Int) {
    let zeros = [UInt8](repeating: 0, count: length)
    #expect(ZeroChunk.id(length: length) == ChunkID(SHA256Hasher.hash(zeros.span)))
  }
}
