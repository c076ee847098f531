extension URLGlob {
  /// What is left of a text with patterns in it.
  struct Reader {
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
