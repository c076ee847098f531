/// One header line.
package struct HeaderLine: Hashable, Sendable {
  package var name: String
  package var value: String

  /// A line `name: value`; neither is checked, servers send anything.
  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }

  func isNamed(_ other: String) -> Bool { name.lowercased() == other.lowercased() }
}

/// The head of a request as it came.
package struct Request: Hashable, Sendable {
  package let method: String
  /// Path and query as sent.
  package let target: String
  /// `HTTP/1.1`, say.
  package let version: String
  /// All header lines in order.
  package let headers: [HeaderLine]

  /// The target up to the first question mark, percent-encoding untouched.
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// What follows the first question mark, or nil.
  package var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The value of the first header of that name.
  package func header(_ name: String) -> String? { headers.first { $0.isNamed(name) }?.value }

  /// How many lines have that name: a client that repeats `Range` on a retry shows here.
  package func count(of name: String) -> Int { headers.count { $0.isNamed(name) } }

  /// What the `Range` header asks for, nil without one.
  package var range: RequestedRange? { header("Range").map(RequestedRange.init(header:)) }

  var wantsClose: Bool {
    let connection = header("Connection")?.lowercased() ?? ""
    return version == "HTTP/1.0" ? connection != "keep-alive" : connection == "close"
  }

  /// A proxy is sent whole URLs, which every server has to take (RFC 9112, section 3.2.2).
  private static func originForm(of target: String) -> String? {
    if target.hasPrefix("/") { return target }
    guard target.hasPrefix("http://") else { return nil }
    return target.dropFirst("http://".count).firstIndex(of: "/").map { String(target[$0...]) }
  }

  /// Parses a head without its final empty line; nil when it is not HTTP.
  init?(head: some Sequence<UInt8>) {
    let lines = String(decoding: Array(head), as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
    guard let first = lines.first else { return nil }
    let words = first.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, let target = Self.originForm(of: words[1]) else { return nil }
    var headers: [HeaderLine] = []
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { return nil }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(HeaderLine(String(line[..<colon]), String(value)))
    }
    method = words[0]
    self.target = target
    version = words[2]
    self.headers = headers
  }
}
