/// A user name and a password. Never shown: it has no description of its own, and failures do not hold it.
package struct UserPassword: Hashable, Sendable, CustomStringConvertible {
  package let user: String
  package let password: String

  /// Basic authentication cannot carry a user name with a colon, nor control characters.
  package init(user: String, password: String) throws(HTTPFailure) {
    guard Self.isSendable(user: user, password: password) else {
      throw HTTPFailure(
        code: .invalidOption,
        message: "The user name or the password cannot be sent: a colon in the name or a control character.")
    }
    self.user = user
    self.password = password
  }

  /// `user:password`, as curl's `-u` takes it; without a colon the password is empty.
  package init(_ text: String) throws(HTTPFailure) {
    let colon = text.firstIndex(of: ":")
    try self.init(
      user: String(text[..<(colon ?? text.endIndex)]),
      password: colon.map { String(text[text.index(after: $0)...]) } ?? "")
  }

  /// The user information of a URL, still percent-encoded.
  init(decodingUser user: String, password: String) throws(URLProblem) {
    guard let user = String(validating: PercentEncoding.decode(user), as: UTF8.self),
      let password = String(validating: PercentEncoding.decode(password), as: UTF8.self),
      Self.isSendable(user: user, password: password)
    else { throw .malformed("its user name or password cannot be sent") }
    self.user = user
    self.password = password
  }

  package var description: String { "…" }

  private static func isSendable(user: String, password: String) -> Bool {
    !user.utf8.contains(0x3A) && HeaderSyntax.isFieldValue(user) && HeaderSyntax.isFieldValue(password)
  }
}

/// What the user gave to be let in: it belongs to one origin. The fetcher sends it only there, so whoever follows a
/// redirect or asks a mirror passes it along and need not think.
package struct OriginCredentials: Hashable, Sendable {
  /// A certificate and its key, files in PEM form; the key may be in the certificate's file.
  package struct ClientCertificate: Hashable, Sendable {
    package var certificateFile: String
    package var keyFile: String?

    package init(certificateFile: String, keyFile: String? = nil) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
    }
  }

  package let origin: HTTPURL.Origin
  /// Goes before the user information of the URL.
  package var user: UserPassword?
  /// Any header may hold a secret, so all of the user's are taken for one.
  package var headers: [HeaderField] = []
  package var clientCertificate: ClientCertificate?

  package init(origin: HTTPURL.Origin) {
    self.origin = origin
  }
}
