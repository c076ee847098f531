internal import CHashKernels

/// The rolling hash of `Spec/weak-v1.md`: what the `weak` column of a manifest has of each chunk.
package enum WeakHash {
  /// The hash of some bytes.
  package static func hash(_ bytes: Span<UInt8>) -> UInt64 {
    // The span vouches for its bytes, of which all and no more are read.
    unsafe bytes.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return unsafe chk_weak_hash(start, bytes.count)
    }
  }
}

/// Weak hashes that are looked for at every offset of a seed.
///
/// It takes 16 to 32 bytes a hash for the table, and 8 to 16 for a filter that spares most looks into it.
package struct WeakHashSet: Sendable {
  private let filter: [UInt64]
  private let table: [UInt64]
  private let filterShift: UInt32
  private let tableShift: UInt32

  /// The set of these hashes; zero, which stands for chunks of zeros, is left out.
  package init(_ hashes: some Collection<UInt64>) {
    var bits: UInt32 = 10
    while 1 << bits < 2 * hashes.count { bits += 1 }
    // At least 32 bits of filter a hash, so that at most three in a hundred looks go on to the table.
    let filterBits = bits + 5
    var filter = [UInt64](repeating: 0, count: 1 << (filterBits - 6))
    var table = [UInt64](repeating: 0, count: 1 << bits)
    for hash in hashes where hash != 0 {
      let bit = Int(hash >> UInt64(64 - filterBits))
      filter[bit >> 6] |= 1 << UInt64(bit & 63)
      var slot = Int(hash >> UInt64(64 - bits))
      while table[slot] != 0, table[slot] != hash { slot = (slot + 1) & (table.count - 1) }
      table[slot] = hash
    }
    self.filter = filter
    self.table = table
    filterShift = 64 - filterBits
    tableShift = 64 - bits
  }

  /// Rolls a window over `bytes` and stops where its hash is in the set.
  ///
  /// - Parameters:
  ///   - window: The length of the window in bytes.
  ///   - bytes: At least a window of them.
  ///   - start: The first offset to look at.
  /// - Returns: The offset of the window and its hash; nil when there is none.
  package func first(_ window: Int, in bytes: Span<UInt8>, from start: Int) -> (offset: Int, hash: UInt64)? {
    let positions = bytes.count - window + 1
    guard window > 0, start < positions else { return nil }
    var hash = WeakHash.hash(bytes.extracting(start..<start + window))
    // Both tables have the sizes that their shifts say, and no byte beyond the last window is read.
    let offset = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe filter.withUnsafeBufferPointer { filter in
        unsafe table.withUnsafeBufferPointer { table in
          guard let bytes = bytes.baseAddress, let filter = filter.baseAddress, let table = table.baseAddress else {
            return positions
          }
          var wanted = unsafe chk_weak_wanted(
            filter: filter, filter_shift: filterShift, table: table, table_shift: tableShift)
          return unsafe chk_weak_find(bytes, positions, window, &wanted, start, &hash)
        }
      }
    }
    return offset < positions ? (offset, hash) : nil
  }
}
