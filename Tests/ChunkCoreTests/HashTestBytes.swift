import ChunkCore

/// Bytes that look random and are the same in every run with the same seed.
struct HashTestRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  // SplitMix64.
  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var value = state
    value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
    value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
    return value ^ value >> 31
  }

  mutating func bytes(count: Int) -> [UInt8] {
    let words = (0..<(count + 7) / 8).map { _ in next() }
    return Array(unsafe words.withUnsafeBytes { bytes in unsafe Array(bytes) }.prefix(count))
  }
}

/// A copy of some bytes, at an address of the caller's choice within an aligned allocation.
@safe final class HashTestStorage: ChunkStorage {
  // Written in `init` only.
  private nonisolated(unsafe) let allocation: UnsafeMutableRawBufferPointer
  private let range: Range<Int>

  init(_ bytes: some Collection<UInt8>, misalignedBy offset: Int = 0) {
    let count = bytes.count
    unsafe allocation = .allocate(byteCount: offset + count, alignment: 64)
    range = offset..<offset + count
    unsafe UnsafeMutableRawBufferPointer(rebasing: allocation[range]).copyBytes(from: bytes)
  }

  deinit {
    unsafe allocation.deallocate()
  }

  var sealedBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: allocation[range])
  }

  /// What OpenSSL says.
  var expected: SHA256Digest {
    withSealedBytes { bytes in SHA256Hasher.hash(bytes) }
  }
}
