/// Text from outside, made fit to stand in a page, in text and in quoted attributes.
package enum HTMLText {
  /// The text with everything escaped that is markup, or that a terminal would obey or a reader be deceived by.
  package static func escape(_ text: some StringProtocol) -> String {
    var result = ""
    for character in SafeText.escape(text) {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.append(character)
      }
    }
    return result
  }
}
