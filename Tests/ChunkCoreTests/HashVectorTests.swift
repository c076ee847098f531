import ChunkCore
import Testing

/// The examples that NIST publishes for FIPS 180-4, and all short lengths.
@Suite struct HashVectorTests {
  private static let examples = [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ]

  @Test(arguments: HashKernel.available)
  func hashesTheExamplesOneByOne(kernel: HashKernel) {
    for (message, digest) in Self.examples {
      #expect(BatchHasher.digests(of: [HashTestStorage(message.utf8)], kernel: kernel).map(\.hex) == [digest])
    }
  }

  @Test(arguments: HashKernel.available)
  func hashesTheExamplesTogether(kernel: HashKernel) {
    let messages = Self.examples + Self.examples + Self.examples
    let storages = messages.map { message, _ in HashTestStorage(message.utf8) }
    #expect(BatchHasher.digests(of: storages, kernel: kernel).map(\.hex) == messages.map(\.1))
  }

  @Test(arguments: HashKernel.available)
  func hashesEveryLengthUpTo4096(kernel: HashKernel) {
    var random = HashTestRandom(seed: 4096)
    let content = random.bytes(count: 4096 + 64)
    // A different start for each, so that every remainder of the address modulo 64 occurs.
    let storages = (0...4096).map { length in
      HashTestStorage(content[length % 61..<length % 61 + length], misalignedBy: length % 64)
    }
    let digests = BatchHasher.digests(of: storages, kernel: kernel)
    #expect(digests == storages.map(\.expected))
  }
}
