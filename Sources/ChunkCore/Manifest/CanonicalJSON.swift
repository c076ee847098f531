// Strings in the canonical form of RFC 8785, section 3.2.2.2: a quote, a backslash and the control characters below
// U+0020 are escaped, each in one way; everything else stands for itself.

extension [UInt8] {
  /// Appends `text` as a canonical JSON string, with its quotes.
  mutating func appendCanonicalJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
      case 0x08: self += "\\b".utf8
      case 0x09: self += "\\t".utf8
      case 0x0A: self += "\\n".utf8
      case 0x0C: self += "\\f".utf8
      case 0x0D: self += "\\r".utf8
      case 0x00..<0x10: self += "\\u000\(String(byte, radix: 16))".utf8
      case 0x10..<0x20: self += "\\u00\(String(byte, radix: 16))".utf8
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}

/// Writes an object, whose members the caller appends in the order of their names.
struct CanonicalJSONObject {
  private var bytes = Array("{".utf8)

  /// Appends a member whose value is a string, or nothing when there is no string.
  mutating func append(_ name: String, _ text: String?) {
    guard let text else { return }
    append(name: name)
    bytes.appendCanonicalJSON(text)
  }

  /// Appends a member whose value is an array of objects.
  mutating func append(_ name: String, _ objects: [CanonicalJSONObject]) {
    append(name: name)
    bytes += "[".utf8
    bytes += objects.map(\.closed).joined(separator: ",".utf8)
    bytes += "]".utf8
  }

  /// The object with its closing brace.
  var closed: [UInt8] { bytes + "}".utf8 }

  private mutating func append(name: String) {
    if bytes.count > 1 { bytes += ",".utf8 }
    bytes.appendCanonicalJSON(name)
    bytes += ":".utf8
  }
}
