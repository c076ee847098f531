import Testing

@testable import chunkmanifest

@Suite struct RequestTargetTests {
  @Test(arguments: [
    ("/", ""), ("/a", "a"), ("/a/b.bin", "a/b.bin"), ("/a?x=/../b", "a"), ("/a#b", "a"), ("//a///b//", "a/b"),
    ("/%61%2Ebin", "a.bin"), ("/with%20space", "with space"), ("/%E6%97%A5", "日"), ("/a+b", "a+b"), ("/a%3Fb", "a?b"),
    ("/a%5C..%5Cb", "a\\..\\b"), ("http://host", ""), ("HTTP://host:80/a", "a"), ("http://host/a?b", "a"),
    ("/a..b", "a..b"),
  ])
  func accepts(text: String, path: String) throws {
    #expect(try RequestTarget(text).path == path)
  }

  @Test(arguments: [
    "", "a", "*", "https://host/a", "ftp://host/a", "/%", "/%4", "/%4G", "/%zz", "/a%00b", "/a%2Fb", "/..%2fetc", "/%%",
    "/" + String(repeating: "a", count: 3 * 4096),
  ])
  func malformed(text: String) {
    #expect(throws: RequestTarget.Refusal.malformed) { try RequestTarget(text) }
  }

  @Test(arguments: [
    "/..", "/../etc/passwd", "/a/../b", "/%2e%2e/etc/passwd", "/.%2E/x", "/.", "/./a", "/.git/config", "/a/.htpasswd",
    "/%2Egit", "/...", "/%FF", "/%C0%AE%C0%AE/x", "http://host/../x",
  ])
  func neverServed(text: String) {
    #expect(throws: RequestTarget.Refusal.notServed) { try RequestTarget(text) }
  }
}
