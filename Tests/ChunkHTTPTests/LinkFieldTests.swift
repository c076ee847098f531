import ChunkHTTP
import Testing

/// `Link` (RFC 8288), and the mirrors that it names (RFC 6249).
@Suite struct LinkFieldTests {
  @Test(arguments: [
    ("<http://a/f>; rel=duplicate", ["http://a/f duplicate -"]),
    ("<http://a/f>;rel=\"duplicate\";pri=2;geo=de", ["http://a/f duplicate 2"]),
    ("<http://a/f>; REL = \"Duplicate x\" ; Pri=\"1\"", ["http://a/f duplicate+x 1"]),
    ("<a>; rel=duplicate, <b>;rel=describedby , ,<c>", ["a duplicate -", "b describedby -", "c  -"]),
    ("<a,b;c>; title=\"x,\\\"<y>;\"; rel=duplicate, <d>; rel=duplicate", ["a,b;c duplicate -", "d duplicate -"]),
    // The first of each parameter counts.
    ("<a>; rel=next; rel=duplicate; pri=1; pri=2", ["a next 1"]),
    ("<a>;; ; rel=duplicate;", ["a duplicate -"]),
    ("<a>; rel", ["a  -"]), ("<a>; rel=duplicate; pri=x", ["a duplicate -"]),
    ("<>; rel=duplicate", [" duplicate -"]),
    // Up to what makes no sense.
    ("<a>; rel=duplicate, b; rel=duplicate, <c>", ["a duplicate -"]), ("<a", []), ("a", []), ("", []), (",", []),
    ("<a>; rel=\"dup", ["a dup -"]),
  ])
  func reads(text: String, expected: [String]) {
    let links = Link.parse([text]).map {
      "\($0.target) \($0.relations.joined(separator: "+")) \($0.priority.map(String.init) ?? "-")"
    }
    #expect(links == expected)
  }

  @Test func thereIsALimit() {
    #expect(Link.parse([String(repeating: "<a>,", count: 1000)]).count == 256)
  }

  private func duplicates(_ link: String, of url: String = "http://o.example/d/f") throws -> [String] {
    let head = ResponseHead(
      status: 206, version: HTTPVersion(major: 1, minor: 1), url: try HTTPURL(url), headers: ["Link": link])
    return head.duplicates.map(\.text)
  }

  @Test func mirrorsComeBestFirst() throws {
    let link = "<http://c/>; rel=duplicate, <http://b/>; rel=duplicate; pri=9, <http://a/>; rel=duplicate; pri=1"
    #expect(try duplicates(link) == ["http://a/", "http://b/", "http://c/"])
  }

  @Test(arguments: [
    ("<../g>; rel=duplicate", ["http://o.example/g"]), ("<ftp://a/f>; rel=duplicate", []),
    ("<http://u:p@a/f>; rel=duplicate", []), ("<http://a/f>; rel=next", []), ("<http:/a/f>; rel=duplicate", []),
  ])
  func onlyWhatMayBeAskedIsAMirror(link: String, expected: [String]) throws {
    #expect(try duplicates(link) == expected)
  }

  @Test func nothingLeadsAwayFromTLS() throws {
    let link = "<http://a/f>; rel=duplicate, <https://b/f>; rel=duplicate"
    #expect(try duplicates(link, of: "https://o.example/f") == ["https://b/f"])
  }
}
