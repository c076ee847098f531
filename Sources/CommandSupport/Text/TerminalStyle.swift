package import ChunkSystem

/// With what a picture may be drawn: blocks where the locale says UTF-8, colours where nobody said no.
package struct TerminalStyle: Hashable, Sendable {
  package var usesBlocks: Bool
  package var usesColors: Bool

  package init(usesBlocks: Bool = false, usesColors: Bool = false) {
    self.usesBlocks = usesBlocks
    self.usesColors = usesColors
  }

  /// What suits this stream. Colours are for terminals only, and not with `NO_COLOR` (no-color.org).
  package static func suiting(_ stream: StandardStream) -> TerminalStyle {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { EnvironmentVariable.value(of: $0) }.first {
      !$0.isEmpty
    }
    let encoding = (locale ?? "").lowercased()
    let isColorful =
      stream.isTerminal && (EnvironmentVariable.value(of: "NO_COLOR") ?? "").isEmpty && !stream.isDumb
    return TerminalStyle(
      usesBlocks: encoding.hasSuffix("utf-8") || encoding.hasSuffix("utf8") || encoding.contains("utf-8@"),
      usesColors: isColorful)
  }

  /// The text in a colour of the terminal's palette, which adds nothing to its width.
  package func colored(_ text: String, _ color: Color) -> String {
    usesColors && !text.isEmpty ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }

  package enum Color: Int, Sendable {
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33
  }
}

extension StandardStream {
  /// A terminal that cannot move its cursor.
  package var isDumb: Bool { EnvironmentVariable.value(of: "TERM") ?? "dumb" == "dumb" }
}
