/// An absolute http or https URL that has been parsed and may be sent. Taken apart and resolved by libcurl's own
/// parser, so that what is checked here is what is connected to.
///
/// Control characters are refused; spaces and bytes beyond ASCII are percent-encoded outside the host. The scheme and
/// the host are lower case and dot segments are resolved.
package struct HTTPURL: Hashable, Sendable {
  package enum Scheme: String, Hashable, Sendable {
    case http
    case https

    package var defaultPort: Int { self == .http ? 80 : 443 }
  }

  /// What credentials belong to: scheme, host and port.
  package struct Origin: Hashable, Sendable, CustomStringConvertible {
    package let scheme: Scheme
    /// Lower case; IPv6 addresses in brackets.
    package let host: String
    package let port: Int

    package var description: String {
      "\(scheme.rawValue)://\(host)\(port == scheme.defaultPort ? "" : ":\(port)")"
    }
  }

  package let origin: Origin
  /// Begins with a slash; percent-encoded.
  package let path: String
  /// Without the question mark; percent-encoded.
  package let query: String?
  /// Without the number sign. Never sent, and not part of any text of the URL.
  package let fragment: String?
  /// The user information before the host, decoded. Not part of any text of the URL.
  package let credentials: UserPassword?

  package var scheme: Scheme { origin.scheme }
  package var host: String { origin.host }
  package var port: Int { origin.port }

  /// What is sent: without user information and fragment. May hold secrets in its query.
  package var text: String { origin.description + path + (query.map { "?" + $0 } ?? "") }

  /// The URL a person or a manifest wrote.
  package init(_ text: String) throws(HTTPFailure) {
    do {
      self = try HTTPURL(parts: URLParts(absolute: try Self.sendable(text)))
    } catch {
      throw .invalidURL(text, error)
    }
  }

  /// The URL that `reference` means when it stands in an answer of this URL. An absolute one need not have the origin
  /// of this one; of what a redirect may do, `RedirectChain` decides.
  package func resolve(_ reference: String) throws(HTTPFailure) -> HTTPURL {
    do {
      let wanted = try Self.sendable(reference)
      // libcurl 7.88 drops the last path component here.
      if wanted.isEmpty || wanted.hasPrefix("#") {
        return replacing(path: path, fragment: wanted.isEmpty ? nil : String(wanted.dropFirst()))
      }
      let url = try HTTPURL(parts: URLParts(reference: wanted, base: text))
      // A relative reference keeps the user information, which an absolute one to the same place does not repeat.
      return url.credentials == nil && url.origin == origin ? url.replacing(credentials: credentials) : url
    } catch {
      throw .invalidURL(reference, error)
    }
  }

  /// This URL with something appended to its path; the query is kept, the fragment dropped.
  package func appending(pathSuffix: String) -> HTTPURL {
    replacing(path: path + PercentEncoding.encode(pathSuffix), fragment: nil)
  }

  private init(parts: URLParts) throws(URLProblem) {
    guard let scheme = Scheme(rawValue: parts.scheme.lowercased()) else { throw .scheme(parts.scheme) }
    guard !parts.host.isEmpty else { throw .malformed("it has no host") }
    // Decoded by libcurl already, and again when it connects: to another host than the one that stands here. The zone of
    // an IPv6 address is not decoded.
    guard parts.host.hasPrefix("[") || !parts.host.contains("%") else {
      throw .malformed("its host holds a percent sign")
    }
    guard let port = Int(parts.port), (1...65535).contains(port) else { throw .malformed("its port is not 1 to 65535") }
    var credentials: UserPassword?
    if parts.user != nil || parts.password != nil {
      credentials = try UserPassword(decodingUser: parts.user ?? "", password: parts.password ?? "")
    }
    self.init(
      origin: Origin(scheme: scheme, host: parts.host.lowercased(), port: port), path: parts.path,
      query: parts.query, fragment: parts.fragment, credentials: credentials)
  }

  private init(origin: Origin, path: String, query: String?, fragment: String?, credentials: UserPassword?) {
    self.origin = origin
    self.path = path
    self.query = query
    self.fragment = fragment
    self.credentials = credentials
  }

  private func replacing(path: String, fragment: String?) -> HTTPURL {
    HTTPURL(origin: origin, path: path, query: query, fragment: fragment, credentials: credentials)
  }

  private func replacing(credentials: UserPassword?) -> HTTPURL {
    HTTPURL(origin: origin, path: path, query: query, fragment: fragment, credentials: credentials)
  }

  /// The text without the spaces around it and with those inside encoded.
  private static func sendable(_ text: String) throws(URLProblem) -> String {
    var bytes = text.utf8[...]
    while bytes.first == 0x20 { bytes.removeFirst() }
    while bytes.last == 0x20 { bytes.removeLast() }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes {
      switch byte {
      case 0x00...0x1F, 0x7F: throw .malformed("it contains a control character")
      case 0x20: result += [0x25, 0x32, 0x30]
      default: result.append(byte)
      }
    }
    let sent = String(decoding: result, as: UTF8.self)
    try checkSlashes(sent)
    return sent
  }

  /// libcurl takes one to three slashes before a host, RFC 3986 reads one as the start of a path, and browsers ask what
  /// stood before. Where readers differ, who checked the host may not be who connects to it.
  private static func checkSlashes(_ text: String) throws(URLProblem) {
    let lowercased = text.lowercased()
    guard let scheme = ["http:", "https:"].first(where: { lowercased.hasPrefix($0) }) else { return }
    guard text.utf8.dropFirst(scheme.utf8.count).prefix(while: { $0 == 0x2F }).count == 2 else {
      throw .malformed("exactly two slashes have to stand between \(scheme) and the host")
    }
  }
}

/// Why a text is not a URL that can be fetched; `HTTPFailure` says it to people.
enum URLProblem: Error {
  case scheme(String)
  case noScheme
  case malformed(String)
}
