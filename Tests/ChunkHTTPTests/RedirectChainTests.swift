import ChunkHTTP
import Testing

@Suite struct RedirectChainTests {
  @Test(arguments: [
    ("http://a/x", "/y", "http://a/y"), ("http://a/x", "http://b/y", "http://b/y"),
    ("http://a/x", "https://a/x", "https://a/x"),
    ("https://a/x", "https://b/y?z", "https://b/y?z"), ("https://a/x", "//b/y", "https://b/y"),
    ("http://a/x", "HTTP://b/y", "http://b/y"), ("http://a/d/x", "y z", "http://a/d/y%20z"),
  ])
  func follows(start: String, location: String, target: String) throws {
    var chain = RedirectChain(start: try HTTPURL(start))
    #expect(try chain.follow(location).text == target)
    #expect(chain.current.text == target)
    #expect(chain.count == 1)
  }

  @Test(arguments: [
    ("https://a/x", "http://a/x"), ("https://a/x", "HTTP://b/x"), ("http://a/x", "file:///etc/passwd"),
    ("http://a/x", "FILE:///etc/passwd"), ("http://a/x", "ftp://a/x"), ("http://a/x", "gopher://a:70/_x"),
    ("http://a/x", "dict://a/x"), ("http://a/x", "data:,x"), ("http://a/x", "http://b/\r\nX: y"),
    ("http://a/x", "http://b:0/"),
  ])
  func refuses(start: String, location: String) throws {
    var chain = RedirectChain(start: try HTTPURL(start))
    let failure = #expect(throws: HTTPFailure.self) { try chain.follow(location) }
    #expect(failure?.code == .redirectRefused)
    #expect(failure?.isRetryable == false)
    #expect(chain.current.text == start)
  }

  @Test func tenAreEnough() throws {
    var chain = RedirectChain(start: try HTTPURL("http://a/0"))
    for index in 1...RedirectChain.usualLimit { _ = try chain.follow("/\(index)") }
    let failure = #expect(throws: HTTPFailure.self) { try chain.follow("/11") }
    #expect(failure?.code == .tooManyRedirects)
    #expect(chain.current.text == "http://a/10")
  }

  @Test func onceSecureAlwaysSecure() throws {
    var chain = RedirectChain(start: try HTTPURL("http://a/"))
    _ = try chain.follow("https://b/")
    #expect(throws: HTTPFailure.self) { try chain.follow("http://a/") }
  }
}
