/// An input of the fuzzer, taken apart from the front. What is missing at the end reads as zero.
package struct FuzzInput {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var isAtEnd: Bool { position == bytes.count }

  package mutating func byte() -> UInt8 {
    guard position < bytes.count else { return 0 }
    defer { position += 1 }
    return bytes[position]
  }

  /// A little-endian integer.
  package mutating func integer<Value: FixedWidthInteger & UnsignedInteger>(_: Value.Type) -> Value {
    (0..<Value.bitWidth / 8).reduce(0) { $0 | Value(byte()) << Value(8 * $1) }
  }

  /// At most `count` bytes.
  package mutating func bytes(atMost count: Int) -> [UInt8] {
    let taken = bytes[position...].prefix(count)
    position += taken.count
    return Array(taken)
  }

  /// All that is left.
  package mutating func rest() -> [UInt8] { bytes(atMost: bytes.count) }
}
