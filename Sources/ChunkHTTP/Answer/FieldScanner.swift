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
}
