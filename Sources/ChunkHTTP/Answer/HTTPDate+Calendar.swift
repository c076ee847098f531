// The Gregorian calendar, counted in days of a year that begins with March, so that the day that comes and goes is the
// last one.

extension HTTPDate {
  init?(year: Int64, month: Int64, day: Int64, secondOfDay: Int64) {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths: [Int64] = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard (1...12).contains(month), (1...lengths[Int(month - 1)]).contains(day) else { return nil }
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let dayOfYear = (153 * marchMonth + 2) / 5 + day - 1
    let days = 365 * marchYear + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - Self.daysTo1970
    self.init(secondsSince1970: days * 86400 + secondOfDay)
  }

  /// Days from 1 March of the year 0 to 1 January 1970.
  private static var daysTo1970: Int64 { 719_468 }

  struct Civil {
    let year, month, day, hour, minute, second, weekday: Int64
  }

  /// The date in UTC. Moments before the year 0 are shown as that.
  var civil: Civil {
    let seconds = max(secondsSince1970, -Self.daysTo1970 * 86400)
    let day = seconds >= 0 ? seconds / 86400 : (seconds - 86399) / 86400
    let secondOfDay = seconds - day * 86400
    let count = day + Self.daysTo1970
    let era = count / 146_097
    let dayOfEra = count % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return Civil(
      year: era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month: month, day: dayOfYear - (153 * marchMonth + 2) / 5 + 1,
      hour: secondOfDay / 3600, minute: secondOfDay / 60 % 60, second: secondOfDay % 60,
      weekday: (count + 3) % 7)
  }
}

extension HTTPDate: CustomStringConvertible {
  /// The form that is sent: `Sun, 06 Nov 1994 08:49:37 GMT`.
  package var description: String {
    let date = civil
    func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let year = String(repeating: "0", count: max(0, 4 - "\(date.year)".count)) + "\(date.year)"
    let weekday = Self.weekdays[Int(date.weekday)].capitalizedASCII
    let month = Self.months[Int(date.month - 1)].capitalizedASCII
    let time = "\(two(date.hour)):\(two(date.minute)):\(two(date.second))"
    return "\(weekday), \(two(date.day)) \(month) \(year) \(time) GMT"
  }
}

extension StringProtocol {
  fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst() }
}
