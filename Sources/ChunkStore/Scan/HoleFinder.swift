internal import ChunkCore
internal import ChunkSystem

/// Tells which ranges of a file are nothing but hole, with one system call a piece of data and not one a range.
///
/// It remembers what lies ahead, so it is for questions that go from front to back; others are answered as well, only
/// slower. A file system that knows no holes has none.
struct HoleFinder {
  private let length: UInt64
  /// There is no data in these bytes.
  private var hole = ByteRange(offset: 0, count: 0)
  /// There is data at the first of these bytes, and up to the last there may be some.
  private var data = ByteRange(offset: 0, count: 0)
  private var isSupported = true

  /// For a file of `length` bytes.
  init(length: UInt64) {
    self.length = length
  }

  /// Whether the range lies in the file and has no data.
  mutating func isHole(_ range: ByteRange, in file: borrowing FileDescriptor) -> Bool {
    guard isSupported, !range.isEmpty, range.end <= length else { return false }
    if hole.offset <= range.offset, range.end <= hole.end { return true }
    if data.offset <= range.offset, range.offset < data.end { return false }
    do throws(Errno) {
      let next = try file.nextData(from: range.offset) ?? length
      // Another process may have made the file longer or shorter; what it is now is not this finder's affair.
      hole = ByteRange(offset: range.offset, count: max(next, range.offset) - range.offset)
      if range.end <= hole.end { return true }
      if next < length, let end = try file.nextHole(from: next), end > next {
        data = ByteRange(offset: next, count: end - next)
      }
    } catch {
      isSupported = false
    }
    return false
  }
}
