// The retry table for statuses, and what to tell people about them.

extension HTTPFailure {
  package static func isRetryable(status: Int) -> Bool {
    switch status {
    case 408, 425, 429, 500, 502, 503, 504, 520...527: true
    default: false
    }
  }

  /// A status that is neither success nor redirect.
  static func status(_ head: ResponseHead) -> HTTPFailure {
    if head.refusesVersion {
      return http2Required(head.url, status: head.status)
    }
    return HTTPFailure(
      code: .status, url: head.url, sentence(head.status), isRetryable: isRetryable(status: head.status),
      retryAfter: head.retryAfter, status: head.status)
  }

  static func http2Required(_ url: HTTPURL, status: Int? = nil) -> HTTPFailure {
    HTTPFailure(
      code: .http2Required, url: url,
      "the server refuses HTTP/1.1\(status.map { " (\($0))" } ?? ""). It may take HTTP/2, or the address is wrong.",
      status: status)
  }

  static func redirectWithoutTarget(_ head: ResponseHead) -> HTTPFailure {
    HTTPFailure(
      code: .status, url: head.url,
      "the server redirects (\(head.status)) and does not say where to. Ask its operator for the right address.",
      status: head.status)
  }

  /// A success that cannot be used.
  static func unusable(_ head: ResponseHead, _ code: Code, _ reason: String) -> HTTPFailure {
    HTTPFailure(
      code: code, url: head.url,
      "the server's answer cannot be used: \(reason). Try another mirror, or ask the server's operator.",
      status: head.status)
  }

  private static func sentence(_ status: Int) -> String {
    switch status {
    case 401: "the server asks for a name and a password (401). Give them with -u USER:PASSWORD."
    case 403: "the server refuses access (403). The link may have expired, or need a login."
    case 404: "there is no such file on the server (404). Check the address."
    case 407: "the proxy asks for a name and a password (407). Give them in the proxy's URL."
    case 408, 425: "the server gave up on the request (\(status)). Try again."
    case 410: "the file is no longer on the server (410). Look for another source."
    case 416: "the server says that the file has no such bytes (416)."
    case 429: "the server asks for fewer requests (429). Try again later, or with fewer connections (-x)."
    case 451: "the server withholds the file for legal reasons (451). Look for another source."
    case 503: "the server is busy or closed for maintenance (503). Try again later."
    case 500...599: "the server failed (\(status)). Try again later."
    case 200...299: "the server answered without the file (\(status)). Check the address."
    case 300...399: "the server answered with a redirect that is not followed (\(status)). Check the address."
    default: "the server refused the request (\(status)). Check the address."
    }
  }
}
