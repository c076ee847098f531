// What of a URL may be shown, logged and stored. User information and fragment are never shown. In the query the value
// of a parameter is a secret, and shown as `…`, when
//
// 1. the parameter's name contains a word that names something secret or a signature (`secretWords`), as in
//    `X-Amz-Signature`, `sig`, `token`, `Key-Pair-Id`, `password`, `md5` of nginx' secure links; or
// 2. the value looks like one whatever its name is: 32 or more characters of those that hexadecimal and base64 text
//    consists of. That hides a long harmless value now and then, which costs nothing.
//
// A query without `=` is a value without a name. Paths are shown: a name must be, and no rule tells the two apart.

extension HTTPURL: CustomStringConvertible {
  /// The URL in printable form: without user information and fragment, secret query values replaced by `…`.
  package var description: String {
    origin.description + path + (query.map { "?" + Self.redacted(query: $0) } ?? "")
  }

  private static let secretWords = [
    "sig", "token", "key", "secret", "passw", "pwd", "auth", "cred", "session", "ticket", "jwt", "hmac", "hash",
    "md5", "policy", "access", "hdnea", "hdnts",
  ]

  private static func redacted(query: String) -> String {
    query.split(separator: "&", omittingEmptySubsequences: false).map { parameter in
      guard let equals = parameter.firstIndex(of: "=") else { return looksSecret(parameter) ? "…" : String(parameter) }
      let name = parameter[..<equals]
      let value = parameter[parameter.index(after: equals)...]
      guard !value.isEmpty, isSecret(name: name) || looksSecret(value) else { return String(parameter) }
      return "\(name)=…"
    }.joined(separator: "&")
  }

  private static func isSecret(name: Substring) -> Bool {
    let name = String(decoding: PercentEncoding.decode(name), as: UTF8.self).lowercased()
    return secretWords.contains { name.contains($0) }
  }

  private static func looksSecret(_ value: Substring) -> Bool {
    let bytes = PercentEncoding.decode(value)
    return bytes.count >= 32
      && bytes.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        case 0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F, 0x7E: true
        default: false
        }
      }
  }
}
