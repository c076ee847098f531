import CHashKernels
import Testing

/// Each engine alone, whatever the choice of engines would have made of it.
@Suite struct HashCompressionTests {
  static let engines = [CHK_AVX512, CHK_AVX2, CHK_SHANI, CHK_ARMV8].filter(chk_available)

  @Test(arguments: engines, 1...Int(CHK_MAX_WIDTH))
  func agreesWithPlainC(engine: chk_kernel, lanes: Int) {
    var random = HashTestRandom(seed: UInt64(lanes))
    for blocks in [1, 2, 3, 7] {
      // The lanes start at odd addresses and overlap.
      let bytes = random.bytes(count: lanes * 77 + blocks * Int(CHK_BLOCK_BYTES))
      let starts = (0..<lanes).map { lane in lane * 77 }
      let states = (0..<lanes).map { _ in (0..<8).map { _ in UInt32.random(in: .min ... .max, using: &random) } }
      let expected = compress(CHK_SCALAR, states, bytes, starts, blocks)
      #expect(compress(engine, states, bytes, starts, blocks) == expected)
      #expect(expected != states)
    }
  }

  @Test(arguments: engines)
  func leavesEverythingAloneWithoutBlocks(engine: chk_kernel) {
    let states = (0..<5).map { lane in (0..<8).map { word in UInt32(lane * 8 + word) } }
    #expect(compress(engine, states, [0], [0, 0, 0, 0, 0], 0) == states)
  }

  private func compress(
    _ engine: chk_kernel, _ states: [[UInt32]], _ bytes: [UInt8], _ starts: [Int], _ blocks: Int
  ) -> [[UInt32]] {
    var words = states.flatMap(\.self)
    // Every state has its eight words of `words`, and every lane `blocks` whole blocks of `bytes` from its start on.
    unsafe words.withUnsafeMutableBufferPointer { words in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let words = words.baseAddress, let bytes = bytes.baseAddress else { return }
        let states = unsafe starts.indices.map { lane in unsafe words + 8 * lane }
        let data = unsafe starts.map { start in unsafe bytes + start }
        unsafe chk_compress(engine, states, data, starts.count, blocks)
      }
    }
    return starts.indices.map { lane in Array(words[8 * lane..<8 * lane + 8]) }
  }
}
