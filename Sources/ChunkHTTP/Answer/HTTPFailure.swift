/// Why a request did not bring what it was for. Whether it is worth trying again is decided where the failure is made,
/// and stands in it. Two failures are equal when their codes are.
package struct HTTPFailure: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of failure it is; may grow.
  package struct Code: Hashable, Sendable {
    /// A short fixed text, for reports.
    package let label: String

    package init(label: String) { self.label = label }
  }

  package let code: Code
  /// Whole sentences: the URL in printable form, what happened, what to do. May hold text from outside, unescaped.
  package let message: String
  package let isRetryable: Bool
  /// How long the server asks to wait.
  package let retryAfter: Duration?
  /// Status of the answer, where there was one.
  package let status: Int?
  /// The printable form of the URL that was asked; empty where none could be.
  package let url: String

  package init(
    code: Code, message: String, url: String = "", isRetryable: Bool = false, retryAfter: Duration? = nil,
    status: Int? = nil
  ) {
    self.code = code
    self.message = message
    self.url = url
    self.isRetryable = isRetryable
    self.retryAfter = retryAfter
    self.status = status
  }

  /// A failure of a request to `url`; the message begins with it.
  init(
    code: Code, url: HTTPURL, _ sentence: String, isRetryable: Bool = false, retryAfter: Duration? = nil,
    status: Int? = nil
  ) {
    let printable = url.description
    self.init(
      code: code, message: "\(printable): \(sentence)", url: printable, isRetryable: isRetryable,
      retryAfter: retryAfter, status: status)
  }

  package var description: String { message }

  package static func == (left: HTTPFailure, right: HTTPFailure) -> Bool { left.code == right.code }
}

extension HTTPFailure.Code {
  // What was asked for cannot be sent.
  package static let invalidURL = Self(label: "invalid URL")
  package static let invalidHeader = Self(label: "invalid header")
  package static let invalidOption = Self(label: "invalid option")
  package static let redirectRefused = Self(label: "redirect refused")
  package static let tooManyRedirects = Self(label: "too many redirects")

  // The server answered, not with what was asked for.
  package static let status = Self(label: "status")
  package static let wrongTotal = Self(label: "wrong total length")
  package static let wrongRange = Self(label: "wrong range")
  package static let contentRangeMissing = Self(label: "no Content-Range")
  package static let contentRangeRepeated = Self(label: "two Content-Range")
  package static let contentRangeMalformed = Self(label: "bad Content-Range")
  package static let multipart = Self(label: "multipart answer")
  package static let contentCoding = Self(label: "content coding")
  package static let contentLengthConflict = Self(label: "Content-Length conflict")
  package static let shortBody = Self(label: "short body")
  package static let longBody = Self(label: "long body")
  package static let headerTooLarge = Self(label: "header too large")
  package static let protocolViolation = Self(label: "protocol violation")

  // There was no answer, or not all of it.
  package static let resolve = Self(label: "name not found")
  package static let connect = Self(label: "no connection")
  package static let connectTimeout = Self(label: "connect timeout")
  package static let reset = Self(label: "connection lost")
  package static let proxy = Self(label: "proxy")
  package static let tls = Self(label: "TLS")
  package static let certificate = Self(label: "certificate")
  package static let certificateFile = Self(label: "certificate file")
  /// The server speaks HTTP/2 only; ask again with that.
  package static let http2Required = Self(label: "HTTP/2 required")
  package static let noMemory = Self(label: "out of memory")
  package static let internalError = Self(label: "internal error")
}
