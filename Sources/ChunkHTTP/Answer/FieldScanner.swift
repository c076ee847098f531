/// Reads the value of a header field from left to right. Every call either takes what it names or leaves the text as it
/// was. Bytes only: nothing of what a server sends is trusted to be text.
struct FieldScanner {
  private var rest: Substring.UTF8View

  init(_ text: String) { rest = Substring(text).utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  /// Takes spaces and tabs.
  @discardableResult
  mutating func spaces() -> Bool {
    let before = rest.count
    rest = rest.drop { $0 == 0x20 || $0 == 0x09 }
    return rest.count != before
  }

  mutating func take(_ byte: Character) -> Bool {
    guard let ascii = byte.asciiValue, rest.first == ascii else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes the ASCII word, in whatever case.
  mutating func take(word: String) -> Bool {
    guard rest.count >= word.utf8.count else { return false }
    guard zip(rest, word.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  /// Takes a run of ASCII letters, in lower case.
  mutating func letters() -> String? {
    let word = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }
    guard !word.isEmpty else { return nil }
    rest = rest.dropFirst(word.count)
    return String(decoding: word.map { $0 | 0x20 }, as: UTF8.self)
  }

  /// Takes all digits there are. nil without one, with too many of them, and beyond what a file offset can be.
  mutating func number(digits: ClosedRange<Int> = 1...19) -> UInt64? {
    let run = rest.prefix { (0x30...0x39).contains($0) }
    let significant = run.drop { $0 == 0x30 }
    guard digits.contains(max(significant.count, min(run.count, digits.lowerBound))) else { return nil }
    let value = significant.reduce(UInt64(0)) { $0 &* 10 &+ UInt64($1 - 0x30) }
    guard value <= UInt64(Int64.max) else { return nil }
    rest = rest.dropFirst(run.count)
    return value
  }

  /// Takes bytes for as long as they are wanted.
  mutating func text(while isWanted: (UInt8) -> Bool) -> String {
    let run = rest.prefix(while: isWanted)
    rest = rest.dropFirst(run.count)
    return String(decoding: run, as: UTF8.self)
  }

  /// Takes `name=value`, or a name alone, whose value is empty then (RFC 8288, appendix B.3). The value may be quoted. nil,
  /// and nothing is taken, where there is no name.
  mutating func parameter() -> (name: String, value: String)? {
    let name = text { !Self.endsName($0) }
    guard !name.isEmpty else { return nil }
    spaces()
    guard take("=") else { return (name.lowercased(), "") }
    spaces()
    guard take("\"") else { return (name.lowercased(), text { !Self.endsName($0) }) }
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != 0x22 {
      value.append(byte == 0x5C ? rest.popFirst() ?? byte : byte)
    }
    return (name.lowercased(), String(decoding: value, as: UTF8.self))
  }

  private static func endsName(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x3D, 0x3B, 0x2C, 0x22].contains(byte) }
}
