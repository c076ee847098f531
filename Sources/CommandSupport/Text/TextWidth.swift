/// How many columns text takes on a terminal. An estimate that most terminals share; a wrong one costs a ragged line.
package enum TextWidth {
  package static func columns(of text: some StringProtocol) -> Int {
    text.reduce(0) { $0 + columns(of: $1) }
  }

  /// The same of text with ``TerminalStyle`` in it.
  package static func columns(ofColored text: some StringProtocol) -> Int {
    text.split(separator: "\u{1B}[").enumerated().reduce(0) { sum, part in
      let isPlain = part.offset == 0 && !text.hasPrefix("\u{1B}[")
      return sum + columns(of: isPlain ? part.element[...] : part.element.drop { $0 != "m" }.dropFirst())
    }
  }

  /// The longest beginning of the text that fits, with `…` as its last column when something was cut.
  package static func truncate(_ text: String, toColumns limit: Int) -> String {
    guard columns(of: text) > limit else { return text }
    guard limit > 0 else { return "" }
    var result = ""
    var used = 1
    for character in text {
      used += columns(of: character)
      if used > limit { break }
      result.append(character)
    }
    return result + "…"
  }

  /// The text, cut or filled up with spaces to exactly this many columns.
  package static func fit(_ text: String, toColumns limit: Int) -> String {
    let cut = truncate(text, toColumns: limit)
    return cut + String(repeating: " ", count: max(0, limit - columns(of: cut)))
  }

  static func columns(of character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control: return 0
    default: break
    }
    // An emoji made of several scalars, or asked for by the selector that follows, is two wide.
    let isEmoji =
      first.properties.isEmojiPresentation || character.unicodeScalars.contains { $0.value == 0xFE0F }
    return isEmoji || isWide(first) ? 2 : 1
  }

  /// The blocks of East Asian characters that take two columns (UAX #11, W and F), coarsely.
  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x17000...0x18AFF, 0x1B000...0x1B2FF, 0x20000...0x3FFFD:
      return true
    default: return false
    }
  }
}
