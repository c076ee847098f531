/// Eight random bytes that tell keys apart, so that a wrong one can be named. Nothing depends on them being different.
package struct KeyID: Hashable, Sendable {
  package let bytes: [UInt8]

  static let length = 8

  /// - Precondition: There are eight.
  package init(_ bytes: [UInt8]) {
    precondition(bytes.count == Self.length, "a key ID has 8 bytes")
    self.bytes = bytes
  }
}

extension KeyID: CustomStringConvertible {
  /// The bytes as a little-endian number in 16 upper-case hexadecimal digits, as minisign prints it.
  package var description: String {
    bytes.reversed().map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count < 2 ? "0" + digits : digits
    }.joined()
  }
}
