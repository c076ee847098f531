/// What a `Content-Range` field says in the unit bytes (RFC 9110, section 14.4). A value that exists is sane: the
/// range is not reversed, lies within the total where that is known, and no number exceeds what a file offset can be.
package enum ContentRange: Hashable, Sendable {
  /// `bytes first-last/total`; the total is nil for `*`.
  case range(first: UInt64, last: UInt64, total: UInt64?)
  /// `bytes */total`, the answer to a range that lies outside.
  case unsatisfied(total: UInt64)

  /// Reads the value of a field. Beyond the grammar, spaces and tabs may stand anywhere but inside a number, and `=`
  /// may follow the unit, since there are servers that send both; neither changes what is meant.
  package init?(_ text: String) {
    var scanner = FieldScanner(text)
    scanner.spaces()
    guard scanner.take(word: "bytes") else { return nil }
    var isSeparated = scanner.spaces()
    if scanner.take("=") { isSeparated = true }
    guard isSeparated else { return nil }
    scanner.spaces()
    if scanner.take("*") {
      guard Self.takeSlash(&scanner), let total = scanner.number() else { return nil }
      self = .unsatisfied(total: total)
    } else {
      guard let first = scanner.number() else { return nil }
      scanner.spaces()
      guard scanner.take("-") else { return nil }
      scanner.spaces()
      guard let last = scanner.number(), first <= last, Self.takeSlash(&scanner) else { return nil }
      if scanner.take("*") {
        self = .range(first: first, last: last, total: nil)
      } else {
        guard let total = scanner.number(), last < total else { return nil }
        self = .range(first: first, last: last, total: total)
      }
    }
    scanner.spaces()
    guard scanner.isAtEnd else { return nil }
  }

  /// Length of the whole, when it is said.
  package var total: UInt64? {
    switch self {
    case .range(_, _, let total): total
    case .unsatisfied(let total): total
    }
  }

  private static func takeSlash(_ scanner: inout FieldScanner) -> Bool {
    scanner.spaces()
    guard scanner.take("/") else { return false }
    scanner.spaces()
    return true
  }
}
