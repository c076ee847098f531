/// A moment as HTTP writes it, to the second (RFC 9110, section 5.6.7).
package struct HTTPDate: Hashable, Comparable, Sendable {
  package let secondsSince1970: Int64

  package init(secondsSince1970: Int64) { self.secondsSince1970 = secondsSince1970 }

  /// Reads the three forms a recipient must accept:
  ///
  ///     Sun, 06 Nov 1994 08:49:37 GMT
  ///     Sunday, 06-Nov-94 08:49:37 GMT
  ///     Sun Nov  6 08:49:37 1994
  ///
  /// The day of the week is not compared with the date. Years of two digits are of the century that puts them at most
  /// 50 years after `now`, or of 1970 to 2069 where that is not given.
  package init?(_ text: String, now: HTTPDate? = nil) {
    var scanner = FieldScanner(text)
    scanner.spaces()
    guard let weekday = scanner.letters(), Self.weekdays.contains(weekday.prefix(3)) else { return nil }
    let parsed =
      if scanner.take(",") { Self.dayFirst(&scanner, now: now) } else { Self.monthFirst(&scanner) }
    guard let parsed else { return nil }
    scanner.spaces()
    guard scanner.isAtEnd else { return nil }
    self = parsed
  }

  package static func < (left: HTTPDate, right: HTTPDate) -> Bool { left.secondsSince1970 < right.secondsSince1970 }

  static let weekdays: [Substring] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
  static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

  /// `06 Nov 1994 08:49:37 GMT` or `06-Nov-94 08:49:37 GMT`.
  private static func dayFirst(_ scanner: inout FieldScanner, now: HTTPDate?) -> HTTPDate? {
    scanner.spaces()
    guard let day = scanner.number(digits: 1...2) else { return nil }
    let isDashed = scanner.take("-")
    guard isDashed || scanner.spaces(), let month = month(&scanner) else { return nil }
    guard isDashed ? scanner.take("-") : scanner.spaces(), let year = year(&scanner, now: now), scanner.spaces() else {
      return nil
    }
    guard let time = time(&scanner), scanner.spaces() else { return nil }
    guard scanner.take(word: "gmt") || scanner.take(word: "utc") else { return nil }
    return HTTPDate(year: year, month: month, day: Int64(day), secondOfDay: time)
  }

  /// `Nov  6 08:49:37 1994`.
  private static func monthFirst(_ scanner: inout FieldScanner) -> HTTPDate? {
    guard scanner.spaces(), let month = month(&scanner), scanner.spaces() else { return nil }
    guard let day = scanner.number(digits: 1...2), scanner.spaces() else { return nil }
    guard let time = time(&scanner), scanner.spaces() else { return nil }
    guard let year = scanner.number(digits: 4...4) else { return nil }
    return HTTPDate(year: Int64(year), month: month, day: Int64(day), secondOfDay: time)
  }

  private static func month(_ scanner: inout FieldScanner) -> Int64? {
    guard let name = scanner.letters(), let index = months.firstIndex(of: name) else { return nil }
    return Int64(index + 1)
  }

  private static func year(_ scanner: inout FieldScanner, now: HTTPDate?) -> Int64? {
    guard let year = scanner.number(digits: 2...4).map({ Int64($0) }) else { return nil }
    guard year < 100 else { return year >= 1000 ? year : nil }
    guard let now else { return year < 70 ? 2000 + year : 1900 + year }
    let latest = now.civil.year + 50
    let inThatCentury = latest - latest % 100 + year
    return inThatCentury <= latest ? inThatCentury : inThatCentury - 100
  }

  /// `08:49:37`; the 60 of a leap second is the second after.
  private static func time(_ scanner: inout FieldScanner) -> Int64? {
    guard let hour = scanner.number(digits: 1...2), hour < 24, scanner.take(":") else { return nil }
    guard let minute = scanner.number(digits: 2...2), minute < 60, scanner.take(":") else { return nil }
    guard let second = scanner.number(digits: 2...2), second <= 60 else { return nil }
    return Int64(hour * 3600 + minute * 60 + second)
  }
}
