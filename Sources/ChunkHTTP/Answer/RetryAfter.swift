/// The `Retry-After` field (RFC 9110, section 10.2.3).
package enum RetryAfter {
  /// More than this is as good as never, and is cut to it.
  package static let longest: Duration = .seconds(365 * 86400)

  /// How long the server asks to be left alone: seconds (a fraction, which some send, is rounded up), or a date,
  /// which is taken relative to the answer's own `Date`, so that clocks need not agree. A date that has passed asks
  /// for no wait. nil when it cannot be read, and for a date in an answer that has none of its own.
  package static func parse(_ text: String, date: HTTPDate?) -> Duration? {
    if let seconds = deltaSeconds(text) { return min(.seconds(Int64(clamping: seconds)), longest) }
    guard let date, let moment = HTTPDate(text, now: date) else { return nil }
    return min(.seconds(max(0, moment.secondsSince1970 - date.secondsSince1970)), longest)
  }

  /// Digits only, or with a fraction; a number that is too long is a long time.
  private static func deltaSeconds(_ text: String) -> UInt64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let whole = parts.first, parts.allSatisfy(isDigits) else { return nil }
    let seconds = UInt64(whole) ?? UInt64(Int64.max)
    let hasFraction = parts.count == 2 && parts[1].contains { $0 != "0" }
    return seconds + (hasFraction && seconds < UInt64(Int64.max) ? 1 : 0)
  }

  private static func isDigits(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
  }
}
