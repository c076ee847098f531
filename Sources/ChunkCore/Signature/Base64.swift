/// Base64 of RFC 4648, section 4, with padding, in the one spelling that a writer makes.
package enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let padding = UInt8(ascii: "=")

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let word = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        text.append(isPadding ? padding : alphabet[Int(word >> UInt32(18 - 6 * position) & 63)])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// - Returns: nil for everything that ``encode(_:)`` does not write.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 4) else { return nil }
    let digits = text.prefix { $0 != padding }
    guard text.count - digits.count <= 2 else { return nil }
    var bytes: [UInt8] = []
    var (word, bits) = (UInt32(0), 0)
    for digit in digits {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      word = word << 6 | UInt32(value)
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    // Unused bits may have other values, and padding may stand in between: only one spelling comes back.
    return encode(bytes).utf8.elementsEqual(text) ? bytes : nil
  }
}
