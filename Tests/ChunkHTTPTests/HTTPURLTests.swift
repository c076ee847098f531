import ChunkHTTP
import Testing

@Suite struct HTTPURLTests {
  @Test(arguments: [
    ("http://a.example/x", "http://a.example/x"),
    ("HTTPS://A.Example:443/x?q#f", "https://a.example/x?q"),
    ("http://a.example", "http://a.example/"),
    ("http://a.example?q=1", "http://a.example/?q=1"),
    ("http://a.example:8080/a/../b/./c", "http://a.example:8080/b/c"),
    ("http://a.example/a b?c d", "http://a.example/a%20b?c%20d"),
    ("  http://a.example/x  ", "http://a.example/x"),
    ("http://a.example/ä", "http://a.example/%c3%a4"),
    ("http://[::1]:81/x", "http://[::1]:81/x"),
    ("http://user:pa%20ss@a.example/x", "http://a.example/x"),
    ("http://a.example/%2e%2e/c", "http://a.example/%2e%2e/c"),
    ("http://a.example/x?", "http://a.example/x"),
  ])
  func parses(text: String, sent: String) throws {
    #expect(try HTTPURL(text).text == sent)
  }

  @Test(arguments: [
    "", "a.example/x", "/x", "//a.example/x", "ftp://a.example/x", "file:///etc/passwd", "gopher://a.example/",
    "javascript:alert(1)", "data:,x", "http://", "http://a.example:0/", "http://a.example:65536/",
    "http://a.example:x/", "http://a b/", "http://a.example/\r\nX: y", "http://a.example/\n", "http://a.example/\u{0}",
    "http://a.example/\t", "http://a.example/\u{7F}", "http://us\ner@a.example/", "http://u:p%0d%0a@a.example/",
    "http://u:p%00@a.example/", "http://[::1/x",
    // Encoded twice: what is decoded once is not yet the host that is connected to.
    "http://a%2525b/", "http://a%252eb/", "http://a%252fb/", "http://%25/",
    // Read in one way here and in another one there.
    "http:/a.example/x", "HTTP:/a.example/x", "https:///a.example/x", "http:a.example/x", "http:/user@a.example",
    "http:////a.example/x", "http:\\\\a.example/x", "http:/\\a.example/x",
  ])
  func refuses(text: String) {
    let failure = #expect(throws: HTTPFailure.self) { try HTTPURL(text) }
    #expect(failure?.code == .invalidURL)
    #expect(failure?.isRetryable == false)
  }

  @Test func refusalsDoNotShowSecrets() {
    for text in ["http://user:hidden@a b/", "http://user:hid?den@a b/", "ftp://user:hidden@a/", "http://a b/?hidden"] {
      let failure = #expect(throws: HTTPFailure.self) { try HTTPURL(text) }
      #expect(failure?.message.contains("hid") == false)
    }
  }

  @Test func takesTheUserInformationOut() throws {
    let url = try HTTPURL("https://us%40er:p%3Aw%2f@a.example:8443/x#sha256=ab")
    #expect(url.credentials?.user == "us@er")
    #expect(url.credentials?.password == "p:w/")
    #expect(url.fragment == "sha256=ab")
    #expect(url.origin.description == "https://a.example:8443")
    #expect("\(url)" == "https://a.example:8443/x")
    #expect(!"\(url.credentials as Any)".contains("p:w"))
    #expect(try HTTPURL("https://a.example/x").credentials == nil)
  }

  @Test func originsDifferBySchemeHostAndPort() throws {
    let origin = try HTTPURL("https://a.example/x").origin
    #expect(try HTTPURL("https://A.EXAMPLE:443/y?z").origin == origin)
    for other in ["http://a.example/x", "https://b.example/x", "https://a.example:444/x", "https://a.example.:443/x"] {
      #expect(try HTTPURL(other).origin != origin)
    }
  }

  @Test(arguments: [
    ("/abs", "http://a.example:81/abs"), ("rel", "http://a.example:81/d/rel"), ("?q=2", "http://a.example:81/d/e?q=2"),
    ("", "http://a.example:81/d/e?q=1"), ("#f", "http://a.example:81/d/e?q=1"), ("//b.example/x", "http://b.example/x"),
    ("https://b.example/ü x", "https://b.example/%c3%bc%20x"), ("../../../x", "http://a.example:81/x"),
    ("a/b:c", "http://a.example:81/d/a/b:c"), ("./", "http://a.example:81/d/"),
  ])
  func resolves(reference: String, expected: String) throws {
    #expect(try HTTPURL("http://a.example:81/d/e?q=1#old").resolve(reference).text == expected)
  }

  @Test(arguments: [
    "file:///etc/passwd", "ftp://b/x", "javascript:alert(1)", "x:y", "/a\r\nb", "http://", "http:/b.example/x",
    "https:///b.example/", "http:x",
  ])
  func refusesToResolve(reference: String) throws {
    let url = try HTTPURL("http://a.example/d/e")
    #expect(throws: HTTPFailure.self) { try url.resolve(reference) }
  }

  @Test func userInformationStaysWithItsOrigin() throws {
    let url = try HTTPURL("http://u:p@a.example/d/e")
    #expect(try url.resolve("f").credentials == url.credentials)
    #expect(try url.resolve("http://a.example/f").credentials == url.credentials)
    for other in ["http://b.example/f", "https://a.example/f", "http://a.example:81/f", "//b.example/"] {
      #expect(try url.resolve(other).credentials == nil)
    }
  }

  @Test func appendsToThePath() throws {
    let url = try HTTPURL("https://u:p@a.example/d/f.bin?sig=1&x=2#f").appending(pathSuffix: ".chunks")
    #expect(url.text == "https://a.example/d/f.bin.chunks?sig=1&x=2")
    #expect(url.fragment == nil)
    #expect(url.credentials?.user == "u")
    #expect(
      try HTTPURL("https://a.example/f").appending(pathSuffix: "?#%/ä").text == "https://a.example/f%3F%23%25/%C3%A4")
  }

  @Test(arguments: [
    ("http://a/f.bin", "f.bin"), ("http://a/d/f%20g?x/y#z/w", "f g"), ("http://a/%C3%A4", "ä"), ("http://a/...", "..."),
    ("http://a/a%25b", "a%b"), ("http://a/100%", "100%"), ("http://a/-rf", "-rf"), ("http://a/.hidden", ".hidden"),
  ])
  func namesFiles(text: String, name: String) throws {
    #expect(try HTTPURL(text).lastPathComponent == name)
  }

  @Test(arguments: [
    "http://a", "http://a/", "http://a/d/", "http://a/%2e", "http://a/%2E%2e", "http://a/x%2fy", "http://a/%2f",
    "http://a/..%2f..%2fetc%2fpasswd", "http://a/x%00", "http://a/x%0a", "http://a/x%1by", "http://a/x%7f",
    "http://a/x%C2%85", "http://a/%FF", "http://a/%C3", "http://a/..", "http://a/.",
  ])
  func namesNothingElse(text: String) throws {
    #expect(try HTTPURL(text).lastPathComponent == nil)
  }

  @Test func namesHaveALength() throws {
    let name = String(repeating: "n", count: HTTPURL.longestName)
    #expect(try HTTPURL("http://a/\(name)").lastPathComponent == name)
    #expect(try HTTPURL("http://a/\(name)n").lastPathComponent == nil)
    #expect(try HTTPURL("http://a/\(String(repeating: "%C3%A4", count: 121))").lastPathComponent?.utf8.count == 242)
    #expect(try HTTPURL("http://a/\(String(repeating: "%C3%A4", count: 122))").lastPathComponent == nil)
  }

  @Test(arguments: [
    ("X-Amz-Signature=abc&X-Amz-Date=20240101", "X-Amz-Signature=…&X-Amz-Date=20240101"),
    (
      "X-Amz-Credential=a&X-Amz-Security-Token=b&X-Amz-Expires=60",
      "X-Amz-Credential=…&X-Amz-Security-Token=…&X-Amz-Expires=60"
    ),
    ("sv=2020&sig=a%2Fb&se=1", "sv=2020&sig=…&se=1"),
    ("Policy=a&Signature=b&Key-Pair-Id=c", "Policy=…&Signature=…&Key-Pair-Id=…"),
    ("md5=abc&expires=1", "md5=…&expires=1"), ("API_KEY=1", "API_KEY=…"), ("api%5Fkey=1", "api%5Fkey=…"),
    ("to%6ben=1", "to%6ben=…"), ("password=x&user=y", "password=…&user=y"), ("access_token=", "access_token="),
    ("download=true&version=2", "download=true&version=2"), ("a=b=c", "a=b=c"), ("&&x", "&&x"),
    ("v=0123456789abcdef0123456789abcdef", "v=…"), ("0123456789abcdef0123456789abcdef", "…"),
    ("v=0123456789abcdef0123456789abcde", "v=0123456789abcdef0123456789abcde"),
    ("t=MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY%3D", "t=…"),
    ("f=name,with,commas,that,is,rather,long.bin", "f=name,with,commas,that,is,rather,long.bin"),
  ])
  func secretsOfQueriesAreNotShown(query: String, shown: String) throws {
    let url = try HTTPURL("https://a.example/f?\(query)")
    #expect("\(url)" == "https://a.example/f?\(shown)")
    #expect(url.text == "https://a.example/f?\(query)")
  }
}
