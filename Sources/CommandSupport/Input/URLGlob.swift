/// curl's patterns in a URL: `{one,two}`, `[1-10]`, `[001-100:2]`, `[a-z]`; the rightmost one runs fastest. A backslash takes
/// their meaning from the characters of a pattern. Pure.
package struct URLGlob: Sendable {
  private enum Part: Sendable {
    case text(String)
    case pattern(Pattern)
  }

  private enum Pattern: Sendable {
    case words([String])
    case numbers(from: Int, step: Int, count: Int, width: Int)
    case letters(from: UInt8, step: Int, count: Int)

    var count: Int {
      switch self {
      case .words(let words): words.count
      case .numbers(_, _, let count, _), .letters(_, _, let count): count
      }
    }

    func value(_ index: Int) -> String {
      switch self {
      case .words(let words): return words[index]
      case .numbers(let from, let step, _, let width):
        let digits = String(from + index * step)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
      case .letters(let from, let step, _):
        return String(UnicodeScalar(from + UInt8(index * step)))
      }
    }
  }

  private let parts: [Part]
  /// How many URLs it stands for.
  package let count: Int

  /// URLs that one command may stand for at most.
  package static let most = 1_000_000

  /// - Throws: What is wrong with a pattern.
  package init(_ text: String) throws(UsageError) {
    var reader = Reader(rest: text[...])
    var parts: [Part] = []
    var literal = ""
    var count = 1
    while let character = reader.next(&literal) {
      if character == "[", let address = reader.address() {
        literal += address
        continue
      }
      let pattern = character == "{" ? try reader.words() : try reader.range()
      parts += [.text(literal), .pattern(pattern)]
      literal = ""
      let (product, overflows) = count.multipliedReportingOverflow(by: pattern.count)
      guard !overflows, product <= Self.most else {
        throw UsageError("\(SafeText.escape(text)) stands for more than \(Self.most) URLs")
      }
      count = product
    }
    self.parts = parts + [.text(literal)]
    self.count = count
  }

  /// One of the URLs, counted from 0, and what each pattern stands for in it, in the order of the patterns.
  package func url(_ number: Int) -> (url: String, values: [String]) {
    var rest = number
    var url = ""
    var values: [String] = []
    for part in parts.reversed() {
      switch part {
      case .text(let text): url = text + url
      case .pattern(let pattern):
        let value = pattern.value(rest % pattern.count)
        rest /= pattern.count
        url = value + url
        values.insert(value, at: 0)
      }
    }
    return (url, values)
  }

  /// A name with `#1`, `#2` … put in for what the patterns stand for; any other `#` stays.
  package static func name(_ template: String, with values: [String]) -> String {
    var name = ""
    var rest = template[...]
    while let character = rest.popFirst() {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if character == "#", let number = Int(digits), (1...max(1, values.count)).contains(number), !values.isEmpty {
        name += values[number - 1]
        rest = rest.dropFirst(digits.count)
      } else {
        name.append(character)
      }
    }
    return name
  }

  // MARK: Reading

  private struct Reader {
    var rest: Substring

    /// Takes what stands for itself, and the character that begins a pattern; nil at the end.
    mutating func next(_ literal: inout String) -> Character? {
      while let character = rest.popFirst() {
        if character == "{" || character == "[" { return character }
        literal.append(escaped(character, of: "{}[]"))
      }
      return nil
    }

    private mutating func escaped(_ character: Character, of special: String) -> Character {
      guard character == "\\", let next = rest.first, special.contains(next) else { return character }
      rest.removeFirst()
      return next
    }

    /// The rest of an IPv6 address, which looks like a pattern and is none.
    mutating func address() -> String? {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      let inside = rest[..<end]
      guard inside.count(where: { $0 == ":" }) > 1, inside.allSatisfy({ $0.isHexDigit || ":.%".contains($0) }) else {
        return nil
      }
      rest = rest[rest.index(after: end)...]
      return "[\(inside)]"
    }

    mutating func words() throws(UsageError) -> Pattern {
      var words: [String] = []
      var word = ""
      while let character = rest.popFirst() {
        switch character {
        case "}":
          guard !words.isEmpty || !word.isEmpty else { throw UsageError("there is nothing between { and }") }
          return .words(words + [word])
        case ",":
          words.append(word)
          word = ""
        case "{", "[": throw UsageError("a pattern within { and }")
        default: word.append(escaped(character, of: "{}[],"))
        }
      }
      throw UsageError("a { without a }")
    }

    mutating func range() throws(UsageError) -> Pattern {
      guard let end = rest.firstIndex(of: "]") else { throw UsageError("a [ without a ]") }
      let text = rest[..<end]
      rest = rest[rest.index(after: end)...]
      let bad = UsageError(
        "[\(SafeText.escape(text))] is no range", hint: "such as [1-10], [001-100:2] or [a-z]; \\[ is the character")
      let halves = text.split(separator: ":", omittingEmptySubsequences: false)
      let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
      guard halves.count <= 2, ends.count == 2, let step = halves.count == 2 ? Self.number(halves[1]) : 1, step > 0
      else { throw bad }
      if let first = Self.number(ends[0]), let last = Self.number(ends[1]) {
        guard first <= last else { throw bad }
        let width = ends[0].first == "0" ? ends[0].count : 0
        return .numbers(from: first, step: step, count: (last - first) / step + 1, width: width)
      }
      guard let first = Self.letter(ends[0]), let last = Self.letter(ends[1]), first <= last,
        (first >= UInt8(ascii: "a")) == (last >= UInt8(ascii: "a"))
      else { throw bad }
      return .letters(from: first, step: step, count: Int(last - first) / step + 1)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
      text.allSatisfy { $0.isASCII && $0.isNumber } && text.count <= 15 ? Int(text) : nil
    }

    private static func letter(_ text: String) -> UInt8? {
      guard text.count == 1, let character = text.first, character.isASCII, character.isLetter else { return nil }
      return character.asciiValue
    }
  }
}
