/// A number of bytes as people write and read it. Units are powers of 1024.
package struct ByteSize: Hashable, Comparable, Sendable, CustomStringConvertible {
  package let bytes: UInt64

  package init(bytes: UInt64) { self.bytes = bytes }

  /// Reads `65536`, `256K`, `1.5M`, `2GiB`; upper or lower case. `KB` is refused, since it means 1000 to half of the
  /// world. A part of a byte is dropped. Nil for anything that is not a size, and for more than 2^64 − 1 bytes.
  package init?(_ text: String) {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let shift = Self.shifts[text[digits.endIndex...].uppercased()] else { return nil }
    guard shift > 0 || !digits.contains(".") else { return nil }
    guard let bytes = DecimalText.scaled(String(digits), by: 1 << shift) else { return nil }
    self.bytes = bytes
  }

  package static func < (left: ByteSize, right: ByteSize) -> Bool { left.bytes < right.bytes }

  /// Three digits that matter: `1023 B`, `1.50 KiB`, `12.3 MiB`, `512 GiB`.
  package var description: String {
    guard bytes >= 1024 else { return "\(bytes) B" }
    for unit in Self.units.indices.dropFirst() {
      for decimals in [2, 1] {
        let number = scaled(toUnit: unit, decimals: decimals)
        if number < 1000 { return "\(DecimalText.fixed(number, decimals: decimals)) \(Self.units[unit])" }
      }
      let whole = scaled(toUnit: unit, decimals: 0)
      if whole < 1024 { return "\(whole) \(Self.units[unit])" }
    }
    return "\(bytes) B"
  }

  private static let shifts = [
    "": 0, "B": 0, "K": 10, "KIB": 10, "M": 20, "MIB": 20, "G": 30, "GIB": 30, "T": 40, "TIB": 40,
  ]
  private static let units = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

  /// The number of these units times 10^decimals, rounded.
  private func scaled(toUnit unit: Int, decimals: Int) -> UInt64 {
    let scale = UInt64(1) << (10 * unit)
    let factor: UInt64 = decimals == 2 ? 100 : decimals == 1 ? 10 : 1
    let (whole, rest) = bytes.quotientAndRemainder(dividingBy: scale)
    // The rest is below 2^60, times 100 it needs up to 67 bits.
    let (share, remainder) = scale.dividingFullWidth(rest.multipliedFullWidth(by: factor))
    let (product, overflow) = whole.multipliedReportingOverflow(by: factor)
    return overflow ? .max : product + share + (remainder >= scale / 2 ? 1 : 0)
  }
}

extension ByteSize {
  /// `12.3 MiB/s`. Negative and undefined rates are shown as nothing a second.
  package static func rate(bytesPerSecond: Double) -> String {
    let bounded = bytesPerSecond > 0 ? min(bytesPerSecond, 1e18) : 0
    return "\(ByteSize(bytes: UInt64(bounded)))/s"
  }
}
