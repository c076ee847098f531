// What cannot be asked for at all. All of these are permanent.

extension HTTPFailure {
  /// `text` may hold secrets or noise, and cannot be trusted to be split right: at most its beginning is shown.
  static func invalidURL(_ text: String, _ problem: URLProblem) -> HTTPFailure {
    let shown = shownPrefix(of: text)
    let sentence =
      switch problem {
      case .scheme(let scheme): "'\(scheme)' is not a scheme that is fetched. Use an http or https address."
      case .noScheme: "that is not a whole address. Write it with http:// or https:// in front."
      case .malformed(let reason): "that is not a valid address: \(reason)."
      }
    return HTTPFailure(code: .invalidURL, message: "\(shown): \(sentence)", url: shown)
  }

  static func invalidHeader(_ name: String, _ reason: String) -> HTTPFailure {
    let shown = String(name.prefix { $0 != ":" }.prefix(40))
    return HTTPFailure(code: .invalidHeader, message: "The header field '\(shown)' cannot be sent: \(reason).")
  }

  /// Without query and fragment, and without all that follows the scheme where there may be user information.
  private static func shownPrefix(of text: String) -> String {
    if text.contains("@") { return text.hasPrefix("https:") ? "https://…" : "http://…" }
    return String(text.prefix { $0 != "?" && $0 != "#" }.prefix(200))
  }
}
