/// The bytes of a file from ``offset`` up to, not including, ``end``.
public struct ByteRange: Hashable, Sendable {
  /// Where the range begins, in bytes from the start of the file.
  public let offset: UInt64
  /// How many bytes it has; may be zero.
  public let count: UInt64

  /// The range of `count` bytes from `offset` on.
  ///
  /// - Precondition: `offset + count` fits 64 bits.
  public init(offset: UInt64, count: UInt64) {
    precondition(!offset.addingReportingOverflow(count).overflow, "a byte range ends beyond 64 bits")
    self.offset = offset
    self.count = count
  }

  /// The offset of the first byte after the range.
  public var end: UInt64 { offset + count }

  /// Whether there is no byte in it.
  public var isEmpty: Bool { count == 0 }
}

extension ByteRange: CustomStringConvertible {
  /// Half open, as in `[0, 4096)`.
  public var description: String { "[\(offset), \(end))" }
}
