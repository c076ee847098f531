internal import ChunkSystem

/// Random numbers that can be had again: splitmix64, the same sequence for the same seed on every machine.
package struct SeededRandom: RandomNumberGenerator, Sendable, CustomStringConvertible {
  /// What the sequence started with.
  package let seed: UInt64
  private var state: UInt64

  /// The sequence of a given seed.
  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  /// A sequence that is new in each run, or that of `CHUNKGET_TEST_SEED`. The seed goes to standard error at once, so that
  /// a failure, and even a crash, can be played again.
  package init(for purpose: String) {
    let given = Environment.value(of: "CHUNKGET_TEST_SEED").flatMap { UInt64($0) }
    self.init(seed: given ?? UInt64.random(in: 0...UInt64(UInt32.max)))
    // Losing the line is no reason to fail.
    try? StandardStream.error.write("\(purpose): CHUNKGET_TEST_SEED=\(seed)\n")
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  /// So many random bytes.
  package mutating func bytes(count: Int) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count + 8)
    while result.count < count {
      let word = next()
      for shift in stride(from: 0 as UInt64, to: 64, by: 8) { result.append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
    result.removeLast(result.count - count)
    return result
  }

  package var description: String { "CHUNKGET_TEST_SEED=\(seed)" }
}
