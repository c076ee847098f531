/// Decimal numbers to and from text in whole-number arithmetic, so that what was typed is what is meant.
package enum DecimalText {
  /// The value of a plain decimal (`12`, `0.25`, `.5`) times `scale`, rounded down. Nil when the text is anything else,
  /// has more than nine decimals, or the result does not fit.
  package static func scaled(_ text: String, by scale: UInt64) -> UInt64? {
    let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count == 2 ? parts[1] : ""
    guard parts[0].utf8.count + fraction.utf8.count > 0, fraction.utf8.count <= 9 else { return nil }
    guard parts.count == 1 || !fraction.isEmpty, let whole = digits(parts[0]), let part = digits(fraction) else {
      return nil
    }
    let (product, overflow) = whole.multipliedReportingOverflow(by: scale)
    let power = powerOfTen(fraction.utf8.count)
    let scaledPart = power.dividingFullWidth(part.multipliedFullWidth(by: scale)).quotient
    let (sum, carried) = product.addingReportingOverflow(scaledPart)
    return overflow || carried ? nil : sum
  }

  /// `fixed(1234, decimals: 2)` is `12.34`.
  package static func fixed(_ value: UInt64, decimals: Int) -> String {
    let digits = String(value)
    guard decimals > 0 else { return digits }
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    return "\(padded.dropLast(decimals)).\(padded.suffix(decimals))"
  }

  private static func powerOfTen(_ exponent: Int) -> UInt64 {
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }

  /// No digits at all are zero.
  private static func digits(_ text: Substring) -> UInt64? {
    guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return nil }
    return text.isEmpty ? 0 : UInt64(text)
  }
}
