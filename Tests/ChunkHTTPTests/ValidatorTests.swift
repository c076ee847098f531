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
