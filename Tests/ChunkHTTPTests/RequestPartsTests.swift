import ChunkHTTP
import Testing

@Suite struct RequestPartsTests {
  @Test(arguments: [
    ("X-A: b", "X-A", "b"), ("X-A:b", "X-A", "b"), ("X-A: b: c", "X-A", "b: c"), ("X-A;", "X-A", ""),
    ("X-A:", "X-A", ""),
    ("Cookie: a=b; c=d", "Cookie", "a=b; c=d"),
  ])
  func readsHeaderLines(line: String, name: String, value: String) throws {
    let field = try HeaderField(line: line)
    #expect(field.name == name && field.value == value)
  }

  @Test(arguments: [
    "", "X-A", ":", ": b", "X A: b", "X-A : b", "X-A: b\r\nX-C: d", "X-A: b\n", "X-A: b\r", "X-A: \u{0}", "X-Ä: b",
    "X\r\n-A: b", "X-A: \u{1B}[0m",
    // Ours.
    "Range: bytes=0-1", "range: bytes=0-1", "If-Range: x", "Accept-Encoding: gzip", "Content-Length: 1",
    "Transfer-Encoding: chunked", "Connection: close", "Expect: 100-continue", "Upgrade: h2c",
  ])
  func refusesHeaderLines(line: String) {
    let failure = #expect(throws: HTTPFailure.self) { try HeaderField(line: line) }
    #expect(failure?.code == .invalidHeader)
  }

  @Test func refusedHeadersDoNotShowTheirValues() {
    let failure = #expect(throws: HTTPFailure.self) { try HeaderField(line: "Authorization: hidden\n") }
    #expect(failure?.message.contains("hidden") == false)
    #expect(failure?.message.contains("Authorization") == true)
  }

  @Test func readsUserAndPassword() throws {
    let pair = try UserPassword("user:pass:word")
    #expect(pair.user == "user" && pair.password == "pass:word")
    #expect(try UserPassword("user").password == "")
    #expect(throws: HTTPFailure.self) { try UserPassword("us\ner:x") }
    #expect(throws: HTTPFailure.self) { try UserPassword("user:x\u{0}") }
    #expect(throws: HTTPFailure.self) { try UserPassword(user: "a:b", password: "c") }
  }
}
