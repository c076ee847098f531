/// A header field to be sent. One that exists can be sent as it is: its name is a token, and its value holds no line
/// break and no NUL.
///
/// Fields that say how the answer is framed and which bytes are meant are written by the fetcher alone, so that there
/// is exactly one `Range` and no coding is asked for; they cannot be made.
package struct HeaderField: Hashable, Sendable {
  package let name: String
  package let value: String

  package init(name: String, value: String) throws(HTTPFailure) {
    guard HeaderSyntax.isToken(name) else {
      throw .invalidHeader(name, "its name may hold letters, digits and a few signs, and nothing else")
    }
    guard HeaderSyntax.isFieldValue(value) else {
      throw .invalidHeader(name, "its value holds a line break or another control character")
    }
    guard !Self.reserved.contains(name.lowercased()) else {
      throw .invalidHeader(name, "which bytes are fetched, and how, is decided here")
    }
    self.name = name
    self.value = value
  }

  /// A field as curl's `-H` takes it: `Name: value`, or `Name;` for one with an empty value.
  package init(line: String) throws(HTTPFailure) {
    if let colon = line.firstIndex(of: ":") {
      let value = line[line.index(after: colon)...]
      let trimmed = value.drop { $0 == " " || $0 == "\t" }
      try self.init(name: String(line[..<colon]), value: String(trimmed))
    } else if line.hasSuffix(";") {
      try self.init(name: String(line.dropLast()), value: "")
    } else {
      throw .invalidHeader(line, "write it as 'Name: value'")
    }
  }

  private static let reserved: Set<String> = [
    "range", "if-range", "accept-encoding", "content-length", "transfer-encoding", "te", "trailer", "connection",
    "keep-alive", "upgrade", "expect", "http2-settings",
  ]
}

/// What RFC 9110, section 5, lets names and values be.
enum HeaderSyntax {
  static func isToken(_ text: some StringProtocol) -> Bool { !text.isEmpty && text.utf8.allSatisfy(isTokenByte) }

  static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
    default: false
    }
  }

  /// No control characters but the tab.
  static func isFieldValue(_ text: String) -> Bool {
    text.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
  }
}
