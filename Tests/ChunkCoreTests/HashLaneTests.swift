import ChunkCore
import Testing

@Suite struct HashLaneTests {
  private static let laneCounts = 1...LaneHasher.maximumLaneCount

  @Test(arguments: HashKernel.available, laneCounts)
  func hashesLanesOfOneLength(kernel: HashKernel, laneCount: Int) {
    for length in [1, 55, 56, 63, 64, 65, 119, 120, 128, 1000, 4096] {
      check(kernel, lengths: Array(repeating: length, count: laneCount), seed: UInt64(length)) { _ in length }
    }
  }

  @Test(arguments: HashKernel.available, laneCounts)
  func hashesAnyMixOfLengthsCutAnywhere(kernel: HashKernel, laneCount: Int) {
    for seed in 0..<12 as Range<UInt64> {
      var random = HashTestRandom(seed: seed << 8 | UInt64(laneCount))
      let lengths = (0..<laneCount).map { _ in
        Bool.random(using: &random) ? Int.random(in: 0...200, using: &random) : Int.random(in: 0...3000, using: &random)
      }
      let longest = [1, 10, 64, 100, 128, 1000].randomElement(using: &random) ?? 1
      check(kernel, lengths: lengths, seed: seed) { random in Int.random(in: 0...longest, using: &random) }
    }
  }

  @Test(arguments: HashKernel.available)
  func canBeUsedAgain(kernel: HashKernel) {
    var random = HashTestRandom(seed: 3)
    let bytes = random.bytes(count: 500)
    let ofNothing = SHA256Hasher.hash(bytes.span.extracting(first: 0))
    var hasher = LaneHasher(kernel: kernel)

    hasher.reset(laneCount: 16)
    hasher.update(bytes.span, ranges: Array(repeating: 0..<333, count: 16))
    // Forgotten, unfinished.
    hasher.reset(laneCount: 3)
    hasher.update(bytes.span, ranges: [0..<500, 7..<8, 500..<500])
    let expected = [0..<500, 7..<8, 500..<500].map { SHA256Hasher.hash(bytes.span.extracting($0)) }
    expectEnd(of: &hasher, expected)
    expectEnd(of: &hasher, [])

    hasher.reset(laneCount: 0)
    hasher.update(bytes.span, ranges: [])
    expectEnd(of: &hasher, [])

    hasher.reset(laneCount: 2)
    expectEnd(of: &hasher, Array(repeating: ofNothing, count: 2))
  }

  @Test(arguments: HashKernel.available)
  func takesNoBytesAtAll(kernel: HashKernel) {
    let nothing: [UInt8] = []
    let some: [UInt8] = [1, 2, 3]
    let ofNothing = SHA256Hasher.hash(nothing.span)
    var hasher = LaneHasher(kernel: kernel)
    hasher.reset(laneCount: 2)
    hasher.update(nothing.span, ranges: [0..<0, 0..<0])
    hasher.update(some.span, ranges: [0..<0, 0..<3])
    expectEnd(of: &hasher, [ofNothing, SHA256Hasher.hash(some.span)])
  }

  /// Hashes random messages of these lengths in strips that have `step` bytes for each lane.
  private func check(
    _ kernel: HashKernel, lengths: [Int], seed: UInt64, step: (inout HashTestRandom) -> Int
  ) {
    var random = HashTestRandom(seed: seed)
    let messages = lengths.map { random.bytes(count: $0) }
    var taken = [Int](repeating: 0, count: lengths.count)
    var hasher = LaneHasher(kernel: kernel)
    hasher.reset(laneCount: lengths.count)
    while taken != lengths {
      var strip: [UInt8] = []
      var ranges: [Range<Int>] = []
      for lane in lengths.indices {
        let count = min(step(&random), lengths[lane] - taken[lane])
        ranges.append(strip.count..<strip.count + count)
        strip += messages[lane][taken[lane]..<taken[lane] + count]
        taken[lane] += count
      }
      hasher.update(strip.span, ranges: ranges)
    }
    expectEnd(of: &hasher, messages.map { SHA256Hasher.hash($0.span) }, "lengths \(lengths), seed \(seed)")
  }

  // What cannot be copied cannot stand inside `#expect`.
  private func expectEnd(of hasher: inout LaneHasher, _ expected: [SHA256Digest], _ comment: Comment? = nil) {
    let digests = hasher.finalize()
    #expect(digests == expected, comment)
  }
}
