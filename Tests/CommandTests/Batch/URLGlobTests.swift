import CommandSupport
import Testing

/// curl's patterns. They make what curl 7.88 makes of them, but that here a step may be longer than its range.
@Suite struct URLGlobTests {
  private func urls(_ text: String) throws -> [String] {
    let glob = try URLGlob(text)
    return (0..<glob.count).map { glob.url($0).url }
  }

  @Test(arguments: [
    ("http://a/b", ["http://a/b"]),
    ("http://{a,b}/", ["http://a/", "http://b/"]),
    ("http://a/{x,}", ["http://a/x", "http://a/"]),
    ("f[1-3]", ["f1", "f2", "f3"]),
    ("f[8-11]", ["f8", "f9", "f10", "f11"]),
    ("f[008-010]", ["f008", "f009", "f010"]),
    ("f[1-10:4]", ["f1", "f5", "f9"]),
    ("f[1-1:5]", ["f1"]),
    ("[a-c]", ["a", "b", "c"]),
    ("[A-Z:12]", ["A", "M", "Y"]),
    ("{a,b}[1-2]", ["a1", "a2", "b1", "b2"]),
    ("http://[::1]:80/x[1-2]", ["http://[::1]:80/x1", "http://[::1]:80/x2"]),
    ("a\\{b\\,c\\}\\[1-2\\]", ["a{b\\,c}[1-2]"]),
    ("{a\\,b,c}", ["a,b", "c"]),
    ("c:\\d", ["c:\\d"]),
  ])
  func `a pattern stands for its URLs, the last one running fastest`(text: String, expected: [String]) throws {
    #expect(try urls(text) == expected)
  }

  @Test(arguments: [
    "{a", "{}", "{a,{b}}", "{a[1-2]}", "[1-", "[1]", "[]", "[2-1]", "[1-2:0]", "[a-Z]", "[b-a]", "[a-1]", "[1-2:x]",
    "[ab-c]", "[1-1000000][1-2]", "[1-99999999999999999999]", "[1-2:1:1]",
  ])
  func `what is no pattern is refused`(text: String) {
    #expect(throws: UsageError.self) { try URLGlob(text) }
  }

  @Test(arguments: [
    ("#1", "x"), ("a#2b", "a07b"), ("#2-#1", "07-x"), ("#3", "#3"), ("#0", "#0"), ("#", "#"), ("#x", "#x"),
    ("##1", "#x"),
  ])
  func `a number in the name is what that pattern stands for`(template: String, expected: String) {
    #expect(URLGlob.name(template, with: ["x", "07"]) == expected)
  }

  @Test func `a million are found without being kept`() throws {
    let glob = try URLGlob("[0-999][0-999]")
    #expect(glob.count == 1_000_000)
    #expect(glob.url(999_999).url == "999999")
    #expect(glob.url(1001).values == ["1", "1"])
  }
}
