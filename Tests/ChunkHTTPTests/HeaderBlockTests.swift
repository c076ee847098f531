import ChunkHTTP
import Testing

@Suite struct HeaderBlockTests {
  /// The answer that the lines give, and how many lines came after it.
  func read(_ lines: [String]) throws -> (status: Int, version: HTTPVersion, fields: HeaderFields)? {
    var block = HeaderBlock()
    var result: (status: Int, version: HTTPVersion, fields: HeaderFields)?
    for line in lines {
      let bytes = Array("\(line)\r\n".utf8)
      if case .head(let status, let version, let fields) = try block.append(line: bytes.span) {
        #expect(result == nil)
        result = (status, version, fields)
      }
    }
    return result
  }

  @Test func readsAnAnswer() throws {
    let answer = try #require(
      try read(["HTTP/1.1 206 Partial Content", "Content-Type:text/plain", "ETAG: \t \"a\" ", "X: 1", "x: 2", ""]))
    #expect(answer.status == 206)
    #expect(answer.version == HTTPVersion(major: 1, minor: 1))
    #expect(answer.fields["content-type"] == "text/plain")
    #expect(answer.fields["ETag"] == "\"a\"")
    #expect(answer.fields.values(of: "X") == ["1", "2"])
    #expect(answer.fields["Y"] == nil)
  }

  @Test(arguments: [
    ("HTTP/1.0 200 OK", "HTTP/1.0"), ("HTTP/1.1 200", "HTTP/1.1"), ("HTTP/2 200 ", "HTTP/2"), ("HTTP/3 200", "HTTP/3"),
    ("http/1.1 200 ok", "HTTP/1.1"),
  ])
  func readsStatusLines(line: String, version: String) throws {
    let answer = try #require(try read([line, ""]))
    #expect(answer.status == 200)
    #expect(answer.version.description == version)
  }

  @Test(arguments: [
    "", "ICY 200 OK", "HTTP/1.1", "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 OK", "HTTP/1.1 abc",
    "HTTP/1.1200 OK", "HTTP/ 200", "HTTP/1.1 200OK",
  ])
  func refusesWhatIsNoStatusLine(line: String) {
    #expect(throws: HeaderBlock.Problem.badStatusLine) { try read([line]) }
  }

  @Test func interimAnswersArePassedOver() throws {
    let answer = try #require(
      try read([
        "HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "Link: </x>", "ETag: \"early\"", "",
        "HTTP/1.1 200 OK", "X: y", "",
      ]))
    #expect(answer.status == 200)
    #expect(answer.fields["ETag"] == nil)
    #expect(answer.fields.count == 1)
  }

  @Test func trailersAreNotLookedAt() throws {
    let answer = try #require(try read(["HTTP/1.1 200 OK", "", "ETag: \"late\"", ""]))
    #expect(answer.fields["ETag"] == nil)
  }

  @Test func aSecondAnswerIsRefused() {
    #expect(throws: HeaderBlock.Problem.secondAnswer) {
      try read(["HTTP/1.1 401 Unauthorized", "", "HTTP/1.1 200 OK", ""])
    }
  }

  @Test func foldedLinesAreOne() throws {
    let answer = try #require(
      try read(["HTTP/1.1 200 OK", " lost", "X: a", "  b", "\tc", "Y:", " d", "Z: e", ""]))
    #expect(answer.fields["X"] == "a b c")
    #expect(answer.fields["Y"] == "d")
    #expect(answer.fields["Z"] == "e")
  }

  /// As many as fit, behind as many fields as fit: takes a moment, and took half a minute when each line copied them all.
  @Test func manyFoldedLinesAreOne() throws {
    let fields = Array(repeating: "X:", count: HeaderBlock.fieldLimit - 1)
    let folded = Array(repeating: " a", count: 60_000)
    let answer = try #require(try read(["HTTP/1.1 200 OK"] + fields + ["Y:"] + folded + [""]))
    #expect(answer.fields["Y"]?.utf8.count == 119_999)
  }

  @Test func linesThatAreNoFieldsAreLeftOut() throws {
    let answer = try #require(
      try read(["HTTP/1.1 200 OK", "no colon", ": no name", "Content-Length : 5", "a b: c", "é: x", "X: y", ""]))
    #expect(answer.fields.map(\.name) == ["X"])
  }

  @Test(arguments: ["X: a\u{0}b", "X: a\rb", "X: a\nY: b", "X\u{0}: a"])
  func controlCharactersAreRefused(line: String) {
    #expect(throws: HeaderBlock.Problem.controlCharacter) { try read(["HTTP/1.1 200 OK", line]) }
  }

  @Test func lengthIsLimitedOverAllBlocks() throws {
    let line = "X: " + String(repeating: "a", count: 65_000)
    let answer = try read(["HTTP/1.1 200 OK", line, line, line, line, ""])
    #expect(answer?.fields.values(of: "x").count == 4)
    #expect(throws: HeaderBlock.Problem.tooLong) { try read(["HTTP/1.1 200 OK", line, line, line, line, line]) }
    let interim = Array(repeating: ["HTTP/1.1 103 Early Hints", line, ""], count: 5).flatMap { $0 }
    #expect(throws: HeaderBlock.Problem.tooLong) { try read(interim) }
  }

  @Test func numberOfFieldsIsLimited() throws {
    let fields = (0..<HeaderBlock.fieldLimit).map { "X\($0): y" }
    #expect(try read(["HTTP/1.1 200 OK"] + fields + [""])?.fields.count == HeaderBlock.fieldLimit)
    #expect(throws: HeaderBlock.Problem.tooManyFields) { try read(["HTTP/1.1 200 OK"] + fields + ["Z: y"]) }
  }

  @Test func bytesThatAreNotTextAreReplaced() throws {
    var block = HeaderBlock()
    _ = try block.append(line: Array("HTTP/1.1 200 OK\n".utf8).span)
    _ = try block.append(line: [0x58, 0x3A, 0xFF, 0x0A].span)
    guard case .head(_, _, let fields) = try block.append(line: [0x0A].span) else {
      Issue.record("the block does not end")
      return
    }
    #expect(fields["X"] == "\u{FFFD}")
  }
}
