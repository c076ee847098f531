/// A moment in whole seconds, as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, section 5.6.7).
struct ModificationDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Since 1970, without leap seconds.
  let seconds: Int64

  /// Moments outside the years 1 to 9999 are moved to the nearest inside, for which the form has room.
  init(seconds: Int64) {
    self.seconds = min(max(seconds, -62_135_596_800), 253_402_300_799)
  }

  /// Reads the form above and no other: the two obsolete ones are sent by nobody who got the date from here. Nil for
  /// anything else, which HTTP asks to be treated as no field at all.
  init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 6, words[5] == "GMT", words[1].count == 2, words[3].count == 4, words[4].count == 8 else {
      return nil
    }
    let clock = words[4].split(separator: ":").compactMap { Int64($0) }
    guard let day = Int64(words[1]), let month = Self.months.firstIndex(of: String(words[2])),
      let year = Int64(words[3]), clock.count == 3
    else { return nil }
    let days = Self.days(year: year, month: Int64(month) + 1, day: day)
    let date = ModificationDate(seconds: days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2])
    // A wrong day of the week, the 31st of February and the like do not come out as they went in.
    guard date.description == text else { return nil }
    self = date
  }

  static func < (left: ModificationDate, right: ModificationDate) -> Bool { left.seconds < right.seconds }

  var description: String {
    let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
    let second = seconds - days * 86_400
    let (year, month, day) = Self.civil(days: days)
    // Day 0 was a Thursday.
    let weekday = Self.weekdays[Int(((days + 4) % 7 + 7) % 7)]
    let clock = [second / 3600, second / 60 % 60, second % 60].map { Self.padded($0, to: 2) }.joined(separator: ":")
    return
      "\(weekday), \(Self.padded(day, to: 2)) \(Self.months[Int(month) - 1]) \(Self.padded(year, to: 4)) \(clock) GMT"
  }

  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  private static func padded(_ number: Int64, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  // Years are counted from March, so that the leap day is the last of its year and the lengths of the months before it
  // follow (153 m + 2) / 5; 400 such years, an era, have 146 097 days, and day 0 is 719 468 days after the first era's start.

  /// Days since 1970 of a date after the year 0.
  private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = (marchYear / 400, marchYear % 400)
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
