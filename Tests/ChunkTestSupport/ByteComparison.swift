internal import Glibc

extension [UInt8] {
  /// Whether both hold the same bytes in a range; false where one of them ends before.
  ///
  /// One call of C: tests run without optimisation, where `==` looks at one byte after the other.
  package func isSame(as other: [UInt8], in range: Range<Int>) -> Bool {
    guard range.upperBound <= count, range.upperBound <= other.count else { return false }
    guard !range.isEmpty else { return true }
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in
        // The range lies in both, which was checked above, and neither is empty.
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return false }
        return unsafe memcmp(mine + range.lowerBound, theirs + range.lowerBound, range.count) == 0
      }
    }
  }

  /// Whether both hold the same bytes.
  package func isSame(as other: [UInt8]) -> Bool {
    count == other.count && isSame(as: other, in: 0..<count)
  }
}
