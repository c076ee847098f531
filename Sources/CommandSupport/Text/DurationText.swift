/// A length of time as a progress line shows it.
package enum DurationText {
  /// `0:07`, `12:34`, `1:02:03`, `3 d 4 h`. Rounded up to whole seconds, since nobody is served by `0:00` left.
  package static func clock(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let seconds = max(0, attoseconds > 0 ? whole + 1 : whole)
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
    if hours >= 24 { return "\(hours / 24) d \(hours % 24) h" }
    if hours > 0 { return "\(hours):\(twoDigits(minutes)):\(twoDigits(seconds % 60))" }
    return "\(minutes):\(twoDigits(seconds % 60))"
  }

  /// `0.4 s`, `12.3 s`: for what is over.
  package static func seconds(_ duration: Duration) -> String {
    let (whole, attoseconds) = duration.components
    let tenths = UInt64(max(0, whole)) * 10 + UInt64(max(0, attoseconds) / 100_000_000_000_000_000)
    return "\(DecimalText.fixed(tenths, decimals: 1)) s"
  }

  private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
