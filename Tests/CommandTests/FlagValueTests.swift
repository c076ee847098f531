import CommandSupport
import Testing

@Suite struct FlagValueTests {
  private enum Style: String, CaseIterable { case bar, json, none }

  @Test(arguments: [("1", 1), ("64", 64), ("007", 7)])
  func integersWithinTheRange(text: String, value: Int) throws {
    #expect(try FlagValue.integer(text, in: 1...64) == value)
  }

  @Test(arguments: ["", "0", "65", "+4", "-4", "4 ", "4.0", "0x4", "four", "99999999999999999999"])
  func whatIsNoIntegerInTheRange(text: String) {
    #expect(throws: UsageError("not a whole number from 1 to 64")) { try FlagValue.integer(text, in: 1...64) }
  }

  @Test(arguments: [
    ("0", Duration.zero), ("30", .seconds(30)), ("2.5", .milliseconds(2500)), (".001", .milliseconds(1)),
    ("0.000000001", .nanoseconds(1)), ("31536000", .seconds(31_536_000)),
  ])
  func seconds(text: String, value: Duration) throws {
    #expect(try FlagValue.seconds(text) == value)
  }

  @Test(arguments: ["", ".", "5.", "-1", "1e3", "1s", "1.0000000001", "31536001", "inf", "nan"])
  func whatIsNoNumberOfSeconds(text: String) {
    #expect(throws: UsageError("not a number of seconds")) { try FlagValue.seconds(text) }
  }

  @Test func wordsOfAnEnumeration() throws {
    #expect(try FlagValue.word("json", of: Style.self) == .json)
    #expect(throws: UsageError("must be one of bar, json, none", hint: "did you mean json?")) {
      try FlagValue.word("jsn", of: Style.self)
    }
    #expect(throws: UsageError("must be one of bar, json, none")) { try FlagValue.word("", of: Style.self) }
  }

  @Test func sizes() throws {
    #expect(try FlagValue.size("1.5M").bytes == 1_572_864)
    #expect(throws: UsageError("not a size such as 65536, 256K, 1.5M or 2G")) { try FlagValue.size("1KB") }
  }
}
