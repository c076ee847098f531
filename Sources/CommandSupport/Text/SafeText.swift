/// Text from outside, made fit to be shown. A terminal obeys control characters, and bidirectional and invisible ones
/// make a name look like another; none of them survives here.
package enum SafeText {
  /// The text with every character that does more than show itself written as `\n`, `\u{202E}` and so on. Not meant to
  /// be read back. At most `limit` characters of the result are kept, the last of them `…` when something was cut.
  package static func escape(_ text: some StringProtocol, limit: Int = .max) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if isHazardous(scalar) { result += escaped(scalar) } else { result.unicodeScalars.append(scalar) }
    }
    return result.count <= limit ? result : result.prefix(max(0, limit - 1)) + "…"
  }

  /// Control characters (C0, DEL, C1), line and paragraph separators, and the invisible formatting ones, which the
  /// bidirectional controls are part of. The joiners that scripts and emoji need are left alone.
  package static func isHazardous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20...0x7E: return false
    case 0x200C, 0x200D: return false
    default:
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: return true
      default: return false
      }
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
}
