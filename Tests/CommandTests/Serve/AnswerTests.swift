import Testing

@testable import chunkmanifest

@Suite struct AnswerTests {
  private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let later = "Sun, 06 Nov 1994 08:49:38 GMT"
  private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"
  private static let file = FileFacts(
    name: "model.chunks", length: 1000,
    tag: EntityTag(device: 0xFD01, inode: 0x2A, length: 1000, modifiedNanoseconds: 784_111_777_000_000_001),
    modified: ModificationDate(seconds: 784_111_777))
  private static let tag = "\"fd01-2a-3e8-ae1b981bc490a01\""

  private func answer(isHead: Bool = false, _ change: (inout Answer.Conditions) -> Void = { _ in }) -> Answer {
    var conditions = Answer.Conditions()
    change(&conditions)
    return .to(conditions, isHead: isHead, file: Self.file)
  }

  private func field(_ name: String, of answer: Answer) -> String? {
    answer.fields.first { $0.name == name }?.value
  }

  @Test func aPlainRequestGetsEverythingWithItsValidators() {
    let answer = answer()
    #expect(answer.status == 200)
    #expect(answer.body == .file(0..<1000))
    #expect(field("ETag", of: answer) == Self.tag)
    #expect(field("Last-Modified", of: answer) == Self.date)
    #expect(field("Accept-Ranges", of: answer) == "bytes")
    #expect(field("Content-Type", of: answer) == "application/vnd.chunkget.manifest")
  }

  @Test func ranges() {
    let part = answer { $0.range = "bytes=10-19" }
    #expect(part.status == 206)
    #expect(part.body == .file(10..<20))
    #expect(field("Content-Range", of: part) == "bytes 10-19/1000")
    #expect(field("ETag", of: part) == Self.tag)
    let behind = answer { $0.range = "bytes=1000-" }
    #expect(behind.status == 416)
    #expect(field("Content-Range", of: behind) == "bytes */1000")
    #expect(answer(isHead: true) { $0.range = "bytes=10-19" }.status == 200)
  }

  @Test(arguments: [
    (Self.tag, 206), (Self.date, 206), ("W/\(Self.tag)", 200), ("\"other\"", 200), (Self.later, 200),
    (Self.earlier, 200), ("", 200),
    ("*", 200), ("\(Self.tag), \"other\"", 200),
  ])
  func ifRange(validator: String, status: Int) {
    let answer = answer {
      $0.range = "bytes=10-19"
      $0.ifRange = validator
    }
    #expect(answer.status == status)
  }

  @Test func ifRangeAgainstAnUnsatisfiableRangeOfAChangedFileIsTheWholeFile() {
    let answer = answer {
      $0.range = "bytes=5000-"
      $0.ifRange = "\"other\""
    }
    #expect(answer.status == 200)
  }

  @Test(arguments: [
    (Self.tag, 304), ("W/\(Self.tag)", 304), ("*", 304), ("\"a\", W/\"b\" ,\t\(Self.tag)", 304), ("\"other\"", 200),
    ("", 200),
    ("\"a,\(Self.tag.dropFirst())", 200),
  ])
  func ifNoneMatch(tags: String, status: Int) {
    let answer = answer {
      $0.ifNoneMatch = tags
      // Has no say when there is If-None-Match.
      $0.ifModifiedSince = Self.date
    }
    #expect(answer.status == status)
    if status == 304 {
      #expect(answer.body == .file(0..<1000), "the length is told, as for HEAD")
      #expect(field("ETag", of: answer) == Self.tag)
    }
  }

  @Test(arguments: [(Self.date, 304), (Self.later, 304), (Self.earlier, 200), ("yesterday", 200), ("784111777", 200)])
  func ifModifiedSince(date: String, status: Int) {
    #expect(answer { $0.ifModifiedSince = date }.status == status)
  }

  @Test(arguments: [(Self.tag, 200), ("*", 200), ("W/\(Self.tag)", 412), ("\"other\"", 412), ("", 412)])
  func ifMatch(tags: String, status: Int) {
    let answer = answer {
      $0.ifMatch = tags
      $0.ifUnmodifiedSince = Self.earlier
    }
    #expect(answer.status == status)
  }

  @Test(arguments: [(Self.date, 200), (Self.later, 200), (Self.earlier, 412), ("nonsense", 200)])
  func ifUnmodifiedSince(date: String, status: Int) {
    #expect(answer { $0.ifUnmodifiedSince = date }.status == status)
  }

  @Test func everyPartOfTheTagMatters() {
    let tags = [(1, 2, 3, 4), (2, 2, 3, 4), (1, 3, 3, 4), (1, 2, 4, 4), (1, 2, 3, 5), (1, 2, 3, -4)].map {
      EntityTag(device: $0.0, inode: $0.1, length: $0.2, modifiedNanoseconds: $0.3).description
    }
    #expect(Set(tags).count == tags.count)
  }

  @Test(arguments: [
    ("a.chunks", "application/vnd.chunkget.manifest"), ("a.TXT", "text/plain; charset=utf-8"),
    ("a.zst", "application/zstd"),
    ("a", "application/octet-stream"), ("a.", "application/octet-stream"),
    ("a.chunks.part", "application/octet-stream"),
  ])
  func contentTypes(name: String, type: String) {
    #expect(ContentType.of(name: name) == type)
  }
}

@Suite struct ModificationDateTests {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
    (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
  ])
  func bothWays(seconds: Int64, text: String) {
    #expect(ModificationDate(seconds: seconds).description == text)
    #expect(ModificationDate(text)?.seconds == seconds)
  }

  @Test func daysOfFourHundredYears() {
    for day in stride(from: Int64(0), to: 146_097, by: 11) {
      let date = ModificationDate(seconds: day * 86_400 + day % 86_400)
      #expect(ModificationDate(date.description) == date)
    }
  }

  @Test func momentsThatHaveNoRoomAreMovedInside() {
    #expect(ModificationDate(seconds: .max).description == "Fri, 31 Dec 9999 23:59:59 GMT")
    #expect(ModificationDate(seconds: .min).description == "Mon, 01 Jan 0001 00:00:00 GMT")
  }

  @Test(arguments: [
    "", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    "Mon, 06 Nov 1994 08:49:37 GMT",
    "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
    "Sun, 06 Nov 1994 08:60:00 GMT",
    "Thu, 30 Feb 2000 00:00:00 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 +8:49:37 GMT",
    "Sun, -6 Nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 1994  08:49:37 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 99999 08:49:37 GMT",
  ])
  func refuses(text: String) {
    #expect(ModificationDate(text) == nil)
  }
}
