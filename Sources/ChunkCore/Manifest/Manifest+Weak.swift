extension Manifest {
  /// Where the weak hashes of some groups lie in the manifest file, 8 bytes a chunk; nil when it has none.
  ///
  /// - Precondition: The file has such groups, and they are not none.
  package func weakRange(groups: Range<Int>) -> ByteRange? {
    guard let column = sections[.weak] else { return nil }
    let first = geometry.chunks(inGroup: groups.lowerBound).lowerBound.rawValue
    let end = geometry.chunks(inGroup: groups.upperBound - 1).upperBound.rawValue
    return ByteRange(offset: column.range.offset + UInt64(first) * 8, count: UInt64(end - first) * 8)
  }

  /// The weak hashes that `bytes` of the column hold. Nothing vouches for them.
  package static func weakHashes(_ bytes: Span<UInt8>) -> [UInt64] {
    (0..<bytes.count / 8).map { bytes.littleEndian(at: $0 * 8, as: UInt64.self) }
  }
}
