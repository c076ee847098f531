/// The version of HTTP an answer came in.
package struct HTTPVersion: Hashable, Sendable, CustomStringConvertible {
  package let major: Int
  package let minor: Int

  package init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  package var description: String { minor == 0 && major >= 2 ? "HTTP/\(major)" : "HTTP/\(major).\(minor)" }
}

/// Status and header fields of the final answer to a request.
package struct ResponseHead: Sendable {
  /// What is to be made of `Content-Range`.
  package enum ContentRangeField: Hashable, Sendable {
    case absent
    case one(ContentRange)
    /// Another unit, or nothing that makes sense.
    case malformed(String)
    /// More than one, which happens when a proxy adds its own: neither can be believed.
    case repeated
  }

  package let status: Int
  package let version: HTTPVersion
  /// The URL that answered.
  package let url: HTTPURL
  package let headers: HeaderFields
  package let contentRange: ContentRangeField
  /// Length of the body, where it is said and applies: not with a transfer coding, nor when it is said in two ways.
  package let contentLength: UInt64?
  /// The field says two different lengths, or none that makes sense.
  package let contentLengthConflicts: Bool
  package let date: HTTPDate?
  package let validator: Validator?

  package init(status: Int, version: HTTPVersion, url: HTTPURL, headers: HeaderFields) {
    self.status = status
    self.version = version
    self.url = url
    self.headers = headers
    contentRange = Self.contentRange(headers.values(of: "Content-Range"))
    let lengths = Self.contentLengths(headers.values(of: "Content-Length"))
    let isCoded = headers["Transfer-Encoding"] != nil
    contentLengthConflicts = !isCoded && (lengths.contains(nil) || Set(lengths).count > 1)
    contentLength = isCoded || contentLengthConflicts ? nil : lengths.first.flatMap(\.self)
    date = headers["Date"].flatMap { HTTPDate($0) }
    validator = Validator(headers: headers)
  }

  package var contentType: String? { headers["Content-Type"] }
  package var retryAfter: Duration? { headers["Retry-After"].flatMap { RetryAfter.parse($0, date: date) } }

  /// Where a redirect leads. nil without one and with several that differ.
  package var location: String? { headers.onlyValue(of: "Location") }

  /// What servers answer that take HTTP/2 only, if they answer HTTP/1.1 at all. The connection is of no more use.
  package var refusesVersion: Bool {
    [421, 426, 505].contains(status) && version.major == 1 && url.scheme == .https
  }

  private static func contentRange(_ values: [String]) -> ContentRangeField {
    guard let value = values.first else { return .absent }
    guard values.count == 1 else { return .repeated }
    return ContentRange(value).map { .one($0) } ?? .malformed(value)
  }

  /// Every length that is said; `5, 5` says one twice. nil for what is none.
  private static func contentLengths(_ values: [String]) -> [UInt64?] {
    values.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }.map { text in
      var scanner = FieldScanner(String(text))
      scanner.spaces()
      let length = scanner.number()
      scanner.spaces()
      return scanner.isAtEnd ? length : nil
    }
  }
}
