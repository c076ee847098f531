/// A line of a list of checksums as GNU `sha256sum` writes it: the digest, a space, a space or an asterisk, the name.
///
/// In a name with a backslash or a line end these are escaped, and a backslash before the digest says so.
package struct ChecksumLine: Hashable, Sendable {
  package let digest: SHA256Digest
  /// Never empty. Bytes, since not every name is text.
  package let name: [UInt8]

  private static let backslash = UInt8(ascii: "\\")
  private static let escapes: [(byte: UInt8, letter: UInt8)] = [
    (backslash, backslash), (UInt8(ascii: "\n"), UInt8(ascii: "n")), (UInt8(ascii: "\r"), UInt8(ascii: "r")),
  ]

  package init(digest: SHA256Digest, name: [UInt8]) {
    self.digest = digest
    self.name = name
  }

  /// Parses a line without its end; nil for every other one.
  package init?(_ line: some Collection<UInt8>) {
    let isEscaped = line.first == Self.backslash
    let text = Array(isEscaped ? line.dropFirst() : line[...])
    guard text.count > 66, text[64] == UInt8(ascii: " "), [UInt8(ascii: " "), UInt8(ascii: "*")].contains(text[65]),
      let digest = SHA256Digest(hex: String(decoding: text[..<64], as: UTF8.self)),
      let name = isEscaped ? Self.unescaped(text[66...]) : Array(text[66...])
    else { return nil }
    self.init(digest: digest, name: name)
  }

  /// The line, in text mode, without its end.
  package var text: [UInt8] {
    let escaped = name.flatMap { byte in
      Self.escapes.first { $0.byte == byte }.map { [Self.backslash, $0.letter] } ?? [byte]
    }
    let prefix = escaped.count == name.count ? [] : [Self.backslash]
    return prefix + Array("\(digest.hex)  ".utf8) + escaped
  }

  private static func unescaped(_ name: ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = name
    while let byte = rest.popFirst() {
      guard byte == backslash else {
        result.append(byte)
        continue
      }
      guard let letter = rest.popFirst(), let escape = escapes.first(where: { $0.letter == letter }) else { return nil }
      result.append(escape.byte)
    }
    return result
  }
}
