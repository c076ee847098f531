package import ChunkCore

/// Where the chunks of a seed lie that begin at a multiple of the chunk size, by the first eight bytes of their IDs.
///
/// That is a hint: what is read there is hashed before it is used. It takes 16 to 20 bytes a chunk; there are at most
/// ``maximumCount``, so 80 MiB. Chunks of zeros, which nobody need look for, are left out.
package struct SeedIndex: Sendable {
  /// How many chunks of a seed are indexed at most: 16 GiB of it at the smallest chunk size, 1 TiB at 256 KiB.
  package static let maximumCount = 1 << 22

  /// For each chunk of the seed the beginning of its ID; zero when it is not to be found.
  private let prefixes: [UInt64]
  /// A hash table with linear probing, at most two thirds full: place in `prefixes`, plus one.
  private let slots: [UInt32]

  /// An index of a seed whose chunks have IDs that begin so, in order; zero stands for one that is left out.
  ///
  /// - Precondition: There are at most ``maximumCount``.
  package init(prefixes: [UInt64]) {
    precondition(prefixes.count <= Self.maximumCount, "too many chunks for an index")
    var bits = 4
    while 1 << bits < prefixes.count + prefixes.count / 2 { bits += 1 }
    var slots = [UInt32](repeating: 0, count: 1 << bits)
    for (place, prefix) in prefixes.enumerated() where prefix != 0 {
      var slot = Self.firstSlot(of: prefix, count: slots.count)
      // The first of several equal chunks is as good as the others.
      while slots[slot] != 0, prefixes[Int(slots[slot]) - 1] != prefix { slot = (slot + 1) & (slots.count - 1) }
      if slots[slot] == 0 { slots[slot] = UInt32(place + 1) }
    }
    self.prefixes = prefixes
    self.slots = slots
  }

  /// How many chunks of the seed it covers.
  package var count: Int { prefixes.count }

  /// What stands for a chunk in an index.
  ///
  /// - Parameters:
  ///   - id: Of the chunk; nil when it cannot be read.
  ///   - zeros: The ID of a chunk of zeros.
  /// - Returns: What ``init(prefixes:)`` takes.
  package static func prefix(of id: ChunkID?, zeros: ChunkID) -> UInt64 {
    guard let id, id != zeros else { return 0 }
    return id.digest.prefix
  }

  /// Which chunk of the seed may have this ID: `own` if that one, else any.
  package func place(of id: ChunkID, own: Int) -> Int? {
    let prefix = id.digest.prefix
    guard prefix != 0 else { return nil }
    if own < prefixes.count, prefixes[own] == prefix { return own }
    var slot = Self.firstSlot(of: prefix, count: slots.count)
    while slots[slot] != 0 {
      let place = Int(slots[slot]) - 1
      if prefixes[place] == prefix { return place }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// IDs are evenly spread, so their first bits are all the hash there has to be.
  private static func firstSlot(of prefix: UInt64, count: Int) -> Int {
    Int(prefix >> UInt64(64 - count.trailingZeroBitCount))
  }
}
