/// A link of a `Link` field (RFC 8288, section 3).
package struct Link: Hashable, Sendable {
  /// As it stands there: absolute, or relative to the URL that answered.
  package let target: String
  /// Relation types in lower case.
  package let relations: [String]
  /// `pri` of RFC 6249, section 3.1: 1 is the best. nil when it is not said.
  package let priority: UInt64?

  /// The links of a field's values, in their order. A value is read up to what makes no sense.
  package static func parse(_ values: [String]) -> [Link] {
    values.flatMap { value in
      var scanner = FieldScanner(value)
      var links: [Link] = []
      repeat {
        while scanner.spaces() || scanner.take(",") {}
        guard let link = Link(&scanner) else { break }
        links.append(link)
      } while links.count < limit
      return links
    }
  }

  /// More than anybody needs of one answer.
  private static let limit = 256

  private init?(_ scanner: inout FieldScanner) {
    guard scanner.take("<") else { return nil }
    target = scanner.text { $0 != 0x3E }
    guard scanner.take(">") else { return nil }
    var relations: [String]?
    var priority: UInt64?
    while true {
      scanner.spaces()
      guard scanner.take(";") else { break }
      scanner.spaces()
      // Empty ones are allowed.
      guard let (name, value) = scanner.parameter() else { continue }
      // The first of each counts.
      switch name {
      case "rel": relations = relations ?? value.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
      case "pri": priority = priority ?? UInt64(value)
      default: break
      }
    }
    self.relations = relations ?? []
    self.priority = priority
  }
}

extension ResponseHead {
  /// Where else the same bytes are, best first (RFC 6249): http and https URLs, none without TLS from an answer that came with it.
  package var duplicates: [HTTPURL] {
    let links = Link.parse(headers.values(of: "Link")).filter { $0.relations.contains("duplicate") }
    let ordered = links.enumerated().sorted {
      ($0.element.priority ?? .max, $0.offset) < ($1.element.priority ?? .max, $1.offset)
    }
    return ordered.compactMap { _, link in
      guard let place = try? url.resolve(link.target), url.scheme == .http || place.scheme == .https else { return nil }
      // What a server names has no business knowing a user.
      return place.credentials == nil ? place : nil
    }
  }
}
