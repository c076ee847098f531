import ChunkHTTP
import Testing

@Suite struct ValidatorTests {
  @Test(arguments: [
    ("\"a\"", true), ("\"\"", true), ("\"a b\"", true), ("\"W/x\"", true), ("W/\"a\"", false), ("\"é\"", true),
  ])
  func readsEntityTags(tag: String, isStrong: Bool) throws {
    let validator = try #require(Validator(headers: ["etag": tag, "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]))
    #expect(validator.isEntityTag && validator.isStrong == isStrong && validator.fieldValue == tag)
  }

  @Test(arguments: ["a", "\"a", "a\"", "\"", "W/a", "w/\"a\"", "\"a\"b\"", "\"a\", \"b\"", ""])
  func refusesWhatIsNoEntityTag(tag: String) {
    #expect(Validator(headers: ["ETag": tag]) == nil)
  }

  @Test func twoTagsAreNone() {
    #expect(Validator(headers: ["ETag": "\"a\"", "etag": "\"b\""]) == nil)
    #expect(Validator(headers: ["ETag": "\"a\"", "etag": "\"a\""]) != nil)
  }

  /// Unicode has them down as equivalent, and Swift's strings of them are equal.
  @Test func equivalentTagsAreDifferent() throws {
    let tags = ["\"\u{E9}\"", "\"e\u{301}\""]
    let validators = try tags.map { try #require(Validator(headers: ["ETag": $0])) }
    #expect(validators[0] != validators[1])
    #expect(!validators[0].isSameVersion(as: validators[1]))
    #expect(validators[0].isSameVersion(as: validators[0]))
    #expect(Validator(headers: ["ETag": tags[0], "etag": tags[1]]) == nil)
  }

  /// Such a tag cannot be sent back, and two of them cannot be told apart.
  @Test(arguments: [[0x22, 0xE8, 0x22], [0x22, 0x61, 0xC3, 0x22], [0x57, 0x2F, 0x22, 0xFF, 0x22]] as [[UInt8]])
  func aTagThatIsNotUTF8IsNone(tag: [UInt8]) throws {
    var block = HeaderBlock()
    let status = Array("HTTP/1.1 200 OK".utf8)
    _ = try block.append(line: status.span)
    let field = Array("ETag: ".utf8) + tag
    _ = try block.append(line: field.span)
    let nothing: [UInt8] = []
    guard case .head(_, _, let fields) = try block.append(line: nothing.span) else {
      Issue.record("the block does not end")
      return
    }
    #expect(fields["ETag"] != nil)
    #expect(Validator(headers: fields) == nil)
  }

  @Test(
    arguments: [
      ("08:49:37", nil, false), ("08:49:38", nil, true), ("08:49:36", nil, false),
      ("08:49:38", "Age", false), ("08:50:36", "Via", false), ("08:50:37", "Via", true), ("08:50:37", "X-Cache", true),
    ] as [(String, String?, Bool)])
  func datesAreStrongWhenOldEnough(time: String, cacheField: String?, isStrong: Bool) throws {
    let headers: HeaderFields = [
      "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Date": "Sun, 06 Nov 1994 \(time) GMT",
      cacheField ?? "X-Other": "1",
    ]
    let validator = try #require(Validator(headers: headers))
    #expect(!validator.isEntityTag && validator.isStrong == isStrong)
    #expect(validator.fieldValue == "Sun, 06 Nov 1994 08:49:37 GMT")
  }

  @Test func aDateWithoutADateToCompareIsWeak() throws {
    let validator = try #require(Validator(headers: ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]))
    #expect(!validator.isStrong)
    #expect(Validator(headers: ["Last-Modified": "yesterday"]) == nil)
    #expect(Validator(headers: [:]) == nil)
  }

  @Test func onlyStrongOnesSayThatBytesAreTheSame() throws {
    let strong = try #require(Validator(headers: ["ETag": "\"a\""]))
    let other = try #require(Validator(headers: ["ETag": "\"b\""]))
    let weak = try #require(Validator(headers: ["ETag": "W/\"a\""]))
    #expect(strong.isSameVersion(as: strong))
    #expect(!strong.isSameVersion(as: other))
    #expect(!weak.isSameVersion(as: weak))
    #expect(!strong.isSameVersion(as: weak))
  }

  @Test func whatWasKeptIsCheckedAgain() {
    #expect(Validator(fieldValue: "\"a\"", isEntityTag: true, isStrong: true) != nil)
    #expect(Validator(fieldValue: "W/\"a\"", isEntityTag: true, isStrong: true) == nil)
    #expect(Validator(fieldValue: "\"a\r\nX: y\"", isEntityTag: true, isStrong: true) == nil)
    #expect(Validator(fieldValue: "noise", isEntityTag: false, isStrong: true) == nil)
  }
}
