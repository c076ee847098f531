// Answers that break off, go on too long, or are not HTTP. All of these may be an accident and are worth another try,
// except a header that is too large, which will be as large again.

extension HTTPFailure {
  static func badHeader(_ problem: HeaderBlock.Problem, url: HTTPURL) -> HTTPFailure {
    switch problem {
    case .tooLong:
      HTTPFailure(
        code: .headerTooLarge, url: url,
        "the header of its answer is longer than \(HeaderBlock.byteLimit / 1024) KiB. Ask the server's operator.")
    case .tooManyFields:
      HTTPFailure(
        code: .headerTooLarge, url: url,
        "the header of its answer has more than \(HeaderBlock.fieldLimit) fields. Ask the server's operator.")
    case .badStatusLine, .controlCharacter, .secondAnswer:
      notHTTP(url)
    }
  }

  static func notHTTP(_ url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .protocolViolation, url: url,
      "the answer is not proper HTTP. Check that the address and the port are those of a web server.",
      isRetryable: true)
  }

  static func noAnswer(_ url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .reset, url: url, "the server closed the connection without an answer. Try again.", isRetryable: true)
  }

  static func shortBody(_ url: HTTPURL, taken: UInt64, expected: UInt64) -> HTTPFailure {
    HTTPFailure(
      code: .shortBody, url: url,
      "the connection ended after \(taken) of \(expected) bytes. Try again; what has come is kept.",
      isRetryable: true)
  }

  static func longBody(_ url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .longBody, url: url, "the server sends more bytes than it announced. Try again, or another mirror.",
      isRetryable: true)
  }
}
