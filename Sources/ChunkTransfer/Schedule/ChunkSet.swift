internal import ChunkCore

/// A set of chunk indices of one file as a bitmap: one bit a chunk, so 2 MiB at the format's limit of 2^24 chunks.
///
/// Membership is O(1); finding the next member skips 64 absent chunks a step.
struct ChunkSet: Sendable {
  private var words: [UInt64]
  /// Number of members.
  private(set) var count = 0

  /// An empty set that can hold the indices `0..<capacity`.
  init(capacity: Int) {
    words = [UInt64](repeating: 0, count: (capacity + 63) / 64)
  }

  var isEmpty: Bool { count == 0 }

  func contains(_ chunk: ChunkIndex) -> Bool {
    words[chunk.rawValue >> 6] >> UInt64(chunk.rawValue & 63) & 1 == 1
  }

  /// Adds a chunk; false when it was a member already.
  @discardableResult
  mutating func insert(_ chunk: ChunkIndex) -> Bool {
    let bit = UInt64(1) << UInt64(chunk.rawValue & 63)
    guard words[chunk.rawValue >> 6] & bit == 0 else { return false }
    words[chunk.rawValue >> 6] |= bit
    count += 1
    return true
  }

  /// Takes a chunk out; false when it was no member.
  @discardableResult
  mutating func remove(_ chunk: ChunkIndex) -> Bool {
    let bit = UInt64(1) << UInt64(chunk.rawValue & 63)
    guard words[chunk.rawValue >> 6] & bit != 0 else { return false }
    words[chunk.rawValue >> 6] &= ~bit
    count -= 1
    return true
  }

  /// The lowest member that is not below `start`.
  func first(atOrAfter start: ChunkIndex) -> ChunkIndex? {
    first(atOrAfter: start) { words[$0] }
  }

  /// The lowest that is in the other set, of the same capacity, too.
  func first(atOrAfter start: ChunkIndex, within other: ChunkSet) -> ChunkIndex? {
    first(atOrAfter: start) { words[$0] & other.words[$0] }
  }

  /// The lowest that is not in the other set, of the same capacity.
  func first(atOrAfter start: ChunkIndex, outside other: ChunkSet) -> ChunkIndex? {
    first(atOrAfter: start) { words[$0] & ~other.words[$0] }
  }

  private func first(atOrAfter start: ChunkIndex, _ members: (Int) -> UInt64) -> ChunkIndex? {
    var word = start.rawValue >> 6
    guard word < words.count else { return nil }
    var bits = members(word) & (UInt64.max << UInt64(start.rawValue & 63))
    while bits == 0 {
      word += 1
      guard word < words.count else { return nil }
      bits = members(word)
    }
    return ChunkIndex(word << 6 + bits.trailingZeroBitCount)
  }

  /// The run of members that begins at `start`, at most `limit` long and below `end`; `start` must be a member.
  func run(from start: ChunkIndex, limit: Int, before end: ChunkIndex) -> Range<ChunkIndex> {
    var last = start.rawValue + 1
    let bound = min(start.rawValue + max(1, limit), end.rawValue)
    while last < bound, contains(ChunkIndex(last)) { last += 1 }
    return start..<ChunkIndex(last)
  }
}
