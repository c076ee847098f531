// The integers of the manifest format are little-endian and lie at any offset.

extension Span<UInt8> {
  /// The integer whose bytes lie at `offset`.
  ///
  /// - Precondition: All its bytes lie in the span.
  func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as type: Value.Type) -> Value {
    precondition(offset >= 0 && offset <= count - MemoryLayout<Value>.size, "an integer reaches beyond the bytes")
    let raw = unsafe bytes
    // The precondition has shown that every byte is inside, and every pattern of bits is an integer.
    return Value(littleEndian: unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: Value.self))
  }
}

extension [UInt8] {
  /// Appends the bytes of `value`, the least significant first.
  mutating func appendLittleEndian<Value: FixedWidthInteger>(_ value: Value) {
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }
}
