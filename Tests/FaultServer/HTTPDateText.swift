/// The one date format HTTP servers may send (RFC 9110, IMF-fixdate).
package enum HTTPDateText {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The text for a time in seconds since 1970, not before that year.
  package static func string(secondsSince1970 seconds: Int64) -> String {
    let (day, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
    let (year, month, dayOfMonth) = civil(dayNumber: Int(day))
    let weekday = days[Int(day % 7)]
    let time = [rest / 3600, rest / 60 % 60, rest % 60].map { padded(Int($0), to: 2) }.joined(separator: ":")
    return "\(weekday), \(padded(dayOfMonth, to: 2)) \(months[month - 1]) \(padded(year, to: 4)) \(time) GMT"
  }

  private static func padded(_ value: Int, to width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// Year, month and day of a day counted from 1970-01-01, in years that begin in March, so that the leap day is last.
  private static func civil(dayNumber: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = dayNumber + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }
}
