/// curl's patterns in a URL: `{one,two}`, `[1-10]`, `[001-100:2]`, `[a-z]`; the rightmost one runs fastest. A backslash takes
/// their meaning from the characters of a pattern. Pure.
package struct URLGlob: Sendable {
  enum Part: Sendable {
    case text(String)
    case pattern(Pattern)
  }

  enum Pattern: Sendable {
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
}
