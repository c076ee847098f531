/// The rules redirects are followed by: to http and https only, never from https to http, and only so many in a row.
/// Credentials need no rule here, since those of the user are bound to their origin (`OriginCredentials`).
package struct RedirectChain: Sendable {
  package static let usualLimit = 10

  package private(set) var current: HTTPURL
  /// Redirects followed so far.
  package private(set) var count = 0

  private let limit: Int

  package init(start: HTTPURL, limit: Int = Self.usualLimit) {
    current = start
    self.limit = limit
  }

  /// Where `location`, as the server at `current` gave it, leads. Every refusal is permanent.
  package mutating func follow(_ location: String) throws(HTTPFailure) -> HTTPURL {
    guard count < limit else {
      throw HTTPFailure(
        code: .tooManyRedirects, url: current,
        "it redirects more than \(limit) times. Check the address, or the server's configuration.")
    }
    let target: HTTPURL
    do {
      target = try current.resolve(location)
    } catch {
      throw HTTPFailure(
        code: .redirectRefused, url: current,
        "it redirects to an address that is not fetched (\(error.message)) Only http and https are followed.")
    }
    guard current.scheme == .http || target.scheme == .https else {
      throw HTTPFailure(
        code: .redirectRefused, url: current,
        "it redirects from https to http (\(target)), which would give up the protection of TLS. "
          + "If you trust that address, ask for it directly.")
    }
    current = target
    count += 1
    return target
  }
}
