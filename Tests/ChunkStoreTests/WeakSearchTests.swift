import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Chunks at any offset of a seed, and columns that want to waste time.
struct WeakSearchTests {
  private static let size = 4096
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
  }

  private func chunk(_ bytes: some Collection<UInt8>, weakHash: UInt64? = nil) -> WeaklyKnownChunk {
    let bytes = Array(bytes)
    return WeaklyKnownChunk(
      id: ChunkID(SHA256Hasher.hash(bytes.span)), weakHash: weakHash ?? WeakHash.hash(bytes.span))
  }

  private func search(_ chunks: [WeaklyKnownChunk], in seeds: [[UInt8]]) async throws -> (
    places: [UInt64: WeakPlace], hashedBytes: UInt64
  ) {
    let files = try seeds.enumerated().map { number, bytes in
      try InputFile(directory.write(bytes, to: "seed\(number)"))
    }
    let search = WeakSearch(for: chunks, chunkSize: try #require(ChunkSize(bytes: Self.size)), in: files)
    let places = try await onOwnThread { search.run(isStopped: { false }) }
    return (places, search.hashedBytes)
  }

  @Test("chunks are found at every offset of every seed, and hashed once each")
  func found() async throws {
    let bytes = noise(600 * Self.size)
    var chunks: [WeaklyKnownChunk] = []
    var expected: [UInt64: WeakPlace] = [:]
    let other = noise(3 * Self.size, seed: 2)
    var offset = 0
    // Over the border of two pieces as well.
    while offset + Self.size <= bytes.count {
      let wanted = chunk(bytes[offset..<offset + Self.size])
      chunks.append(wanted)
      expected[wanted.id.digest.prefix] = WeakPlace(seed: 1, offset: UInt64(offset))
      offset += Self.size + (offset % 7 == 0 ? 1 : 333)
    }
    let last = chunk(other.suffix(Self.size))
    expected[last.id.digest.prefix] = WeakPlace(seed: 0, offset: UInt64(2 * Self.size))
    let (places, hashedBytes) = try await search(chunks + [last], in: [other, bytes])
    #expect(places == expected)
    #expect(hashedBytes == UInt64(expected.count * Self.size))
  }

  /// Columns made to waste time, for chunks that no seed has.
  enum Hostile: CaseIterable {
    case constant, random, asZeros, asOnes, asEveryWindow, asFewWindows
  }

  @Test("whatever the column says, no more is hashed than the seed has", arguments: Hostile.allCases)
  func hostile(_ hostile: Hostile) async throws {
    let count = 300
    var seed = noise(count / 3 * Self.size) + [UInt8](repeating: 0, count: count / 3 * Self.size)
    seed += [UInt8](repeating: 1, count: count / 3 * Self.size)
    var random = SeededRandom(seed: 3)
    let chunks = (0..<2 * count).map { number in
      let window =
        switch hostile {
        case .asZeros: [UInt8](repeating: 0, count: Self.size)
        case .asOnes: [UInt8](repeating: 1, count: Self.size)
        case .asEveryWindow: Array(seed[number * 100..<number * 100 + Self.size])
        case .asFewWindows: Array(seed[number % 5..<number % 5 + Self.size])
        case .constant, .random: [number].map { UInt8(truncatingIfNeeded: $0) }
        }
      let weakHash =
        switch hostile {
        case .constant: UInt64(77)
        case .random: random.next()
        default: WeakHash.hash(window.span)
        }
      return chunk(noise(Self.size, seed: UInt64(1000 + number)), weakHash: weakHash)
    }
    let (places, hashedBytes) = try await search(chunks, in: [seed])
    #expect(places.isEmpty)
    #expect(hashedBytes <= UInt64(seed.count + Self.size))
    if hostile != .asEveryWindow { #expect(hashedBytes <= UInt64(20 * Self.size)) }
  }

  @Test("what is repeated is found once, and costs no more for it")
  func repeated() async throws {
    let ones = [UInt8](repeating: 1, count: 100 * Self.size)
    let (places, hashedBytes) = try await search([chunk(ones[..<Self.size])], in: [noise(5000) + ones])
    #expect(places.count == 1)
    // Each thread may be at it before one has told the others.
    #expect(hashedBytes <= UInt64(DedicatedThread.processorCount * Self.size))
  }

  @Test("a seed shorter than a chunk has none")
  func short() async throws {
    let bytes = noise(Self.size - 1)
    let (places, hashedBytes) = try await search([chunk(noise(Self.size))], in: [bytes, []])
    #expect(places.isEmpty && hashedBytes == 0)
  }
}
