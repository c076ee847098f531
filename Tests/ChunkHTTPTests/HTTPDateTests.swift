import ChunkHTTP
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    // What is not of the grammar, but cannot mean anything else.
    "sun, 06 nov 1994 08:49:37 gmt", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Mon, 06-Nov-1994 08:49:37 GMT", " Sun, 06 Nov 1994 8:49:37 GMT ",
  ])
  func readsAllForms(text: String) {
    #expect(HTTPDate(text)?.secondsSince1970 == 784_111_777)
  }

  @Test(arguments: [
    "", "now", "0", "784111777", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
    "Sun, 06 Nov 1994 08:49:37 +0100", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 29 Feb 1900 00:00:00 GMT",
    "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nox 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 994 08:49:37 GMT",
    "Sun, 06 Nov 19941 08:49:37 GMT", "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT GMT",
    "Sun 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "1994-11-06T08:49:37Z",
    "Sun, 99999999999999999999 Nov 1994 08:49:37 GMT",
  ])
  func refuses(text: String) {
    #expect(HTTPDate(text) == nil)
  }

  @Test(
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    ] as [(Int64, String)])
  func writesAndReadsBack(seconds: Int64, text: String) {
    #expect(HTTPDate(secondsSince1970: seconds).description == text)
    #expect(HTTPDate(text)?.secondsSince1970 == seconds)
  }

  @Test func everyDayOfFourCenturiesComesBack() {
    var seconds: Int64 = -11_676_096_000  // 1 January 1600
    while seconds < 946_684_800 {
      let date = HTTPDate(secondsSince1970: seconds)
      guard HTTPDate(date.description) == date else {
        Issue.record("\(seconds) is written as \(date)")
        return
      }
      seconds += 86400 * 7 + 3661
    }
  }

  @Test(arguments: [
    ("2026", "30", 2030), ("2026", "76", 2076), ("2026", "77", 1977), ("2090", "10", 2110), ("1994", "94", 1994),
  ])
  func yearsOfTwoDigitsAreNear(now: String, digits: String, year: Int) throws {
    let now = try #require(HTTPDate("Sun, 01 Jan \(now) 00:00:00 GMT"))
    let date = try #require(HTTPDate("Sunday, 01-Jan-\(digits) 00:00:00 GMT", now: now))
    #expect(date.description.contains(" \(year) "))
  }

  @Test func leapSecondIsTheNextOne() {
    #expect(HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT") == HTTPDate("Sun, 01 Jan 2017 00:00:00 GMT"))
  }
}

@Suite struct RetryAfterTests {
  let date = HTTPDate("Sun, 06 Nov 1994 08:49:37 GMT")

  @Test(arguments: [
    ("0", 0), ("1", 1), ("120", 120), ("0120", 120), ("1.0", 1), ("1.5", 2), ("0.001", 1),
    ("Sun, 06 Nov 1994 08:50:37 GMT", 60), ("Sunday, 06-Nov-94 08:49:38 GMT", 1), ("Sun Nov  6 09:49:37 1994", 3600),
    ("Sun, 06 Nov 1994 08:49:37 GMT", 0), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
    ("99999999999999999999999999", 31_536_000), ("18446744073709551615.5", 31_536_000),
    ("Fri, 31 Dec 9999 23:59:59 GMT", 31_536_000),
  ])
  func reads(text: String, seconds: Int) {
    #expect(RetryAfter.parse(text, date: date) == .seconds(seconds))
  }

  @Test(arguments: ["", "-1", "+1", "soon", "1s", "1,5", ".5", "1.", "1.2.3", "0x10", "1 2", "١"])
  func refuses(text: String) {
    #expect(RetryAfter.parse(text, date: date) == nil)
  }

  @Test func aDateNeedsTheDateOfItsAnswer() {
    #expect(RetryAfter.parse("Sun, 06 Nov 1994 08:50:37 GMT", date: nil) == nil)
    #expect(RetryAfter.parse("7", date: nil) == .seconds(7))
  }
}
