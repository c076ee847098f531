/// One GET or HEAD, of a whole resource or of one range of it.
package struct RangeRequest: Sendable {
  package enum Method: Hashable, Sendable {
    case get
    /// The head alone.
    case head
  }

  package var url: HTTPURL
  /// First and last byte asked for. nil asks for the whole resource, without a `Range` field.
  package var range: ClosedRange<UInt64>?
  /// The version the range is of. Sent only with a range and only when it is strong, since a server must not honour
  /// another.
  package var ifRange: Validator?
  package var method: Method
  /// For every server. What was given for one origin stands in `credentials`.
  package var headers: [HeaderField]
  package var credentials: OriginCredentials?
  package var options: ConnectionOptions
  /// Length of the whole resource when it is known; an answer that says another one is not usable.
  package var knownTotal: UInt64?

  package init(
    url: HTTPURL, range: ClosedRange<UInt64>? = nil, ifRange: Validator? = nil, method: Method = .get,
    headers: [HeaderField] = [], credentials: OriginCredentials? = nil,
    options: ConnectionOptions = ConnectionOptions(), knownTotal: UInt64? = nil
  ) {
    self.url = url
    self.range = range
    self.ifRange = ifRange
    self.method = method
    self.headers = headers
    self.credentials = credentials
    self.options = options
    self.knownTotal = knownTotal
  }

  /// The credentials, if they belong to the server that is asked.
  var applicableCredentials: OriginCredentials? { credentials?.origin == url.origin ? credentials : nil }
}
