/// Goes through canonical JSON whose shape is known: the caller says what has to come, or asks what does.
///
/// Canonical form spells a value in one way only, and so there is nothing to skip, nothing to sort and nothing to
/// recurse into. Memory is bounded by a constant times the length of the input.
struct CanonicalJSONScanner {
  private let bytes: [UInt8]
  private var position = 0

  /// Starts before the first byte; `nil` when the bytes are not UTF-8.
  init?(_ json: Span<UInt8>) {
    var copy: [UInt8] = []
    // The buffer is copied before the call returns.
    unsafe json.withUnsafeBufferPointer { unsafe copy.append(contentsOf: $0) }
    guard (try? UTF8Span(validating: copy.span)) != nil else { return nil }
    bytes = copy
  }

  /// Whether everything has been gone through.
  var isAtEnd: Bool { position == bytes.count }

  /// Goes past `text` when it comes next, and tells whether it did.
  mutating func take(_ text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  /// Goes past a string when one comes next; `nil` when none does or when it is not in canonical form.
  mutating func takeString() -> String? {
    guard take("\"") else { return nil }
    var content: [UInt8] = []
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      // Valid, since the input is UTF-8 and is cut at ASCII characters only.
      case UInt8(ascii: "\""): return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let character = takeEscaped() else { return nil }
        content.append(character)
      case 0x00..<0x20: return nil
      default: content.append(byte)
      }
    }
    return nil
  }

  /// The character that an escape stands for, its backslash already taken.
  private mutating func takeEscaped() -> UInt8? {
    guard position < bytes.count else { return nil }
    let kind = bytes[position]
    position += 1
    switch kind {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return kind
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "u"): return takeControlCode()
    default: return nil
    }
  }

  /// The character below U+0020 whose four lower-case digits come next, when it has no shorter escape.
  private mutating func takeControlCode() -> UInt8? {
    guard take("00"), position + 2 <= bytes.count else { return nil }
    let digits = bytes[position..<position + 2]
    position += 2
    let isCanonical = digits.allSatisfy { byte in
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
    guard isCanonical, let control = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), control < 0x20,
      ![0x08, 0x09, 0x0A, 0x0C, 0x0D].contains(control)
    else { return nil }
    return control
  }
}
