/// Which requests a rule is about. Combine with `&&`, `||` and `!`.
package indirect enum RequestMatch: Sendable {
  case any
  /// The path, without query, exactly as sent.
  case path(String)
  case method(String)
  /// The number of the request on this server, from 1.
  case numbers(ClosedRange<Int>)
  /// The number of the request for its path, from 1.
  case numbersForPath(ClosedRange<Int>)
  /// Every so many requests on this server: 5 is the fifth, the tenth and so on.
  case every(Int)
  /// The number of the connection, from 1.
  case connections(ClosedRange<Int>)
  /// A GET whose bytes, as asked for, contain this offset. A request without a usable range asks for all.
  case touches(UInt64)
  /// There is a header of that name.
  case header(String)
  /// There is a header of that name with that value.
  case headerValue(String, String)
  /// The query is this text.
  case query(String)
  /// More connections than this are open, the one of the request included.
  case openConnections(above: Int)
  /// More requests than this are being answered, this one included.
  case activeRequests(above: Int)
  /// The gate has been opened when the request arrives.
  case opened(Gate)
  case both(RequestMatch, RequestMatch)
  case either(RequestMatch, RequestMatch)
  case not(RequestMatch)

  /// The request with that number on this server, from 1.
  package static func number(_ number: Int) -> RequestMatch { .numbers(number...number) }
  /// The requests from that number on.
  package static func number(_ range: PartialRangeFrom<Int>) -> RequestMatch { .numbers(range.lowerBound...Int.max) }
  /// The request with that number for its path, from 1.
  package static func numberForPath(_ number: Int) -> RequestMatch { .numbersForPath(number...number) }
  /// The requests for a path from that number on.
  package static func numberForPath(_ range: PartialRangeFrom<Int>) -> RequestMatch {
    .numbersForPath(range.lowerBound...Int.max)
  }
  /// Everything on the connection with that number, from 1.
  package static func connection(_ number: Int) -> RequestMatch { .connections(number...number) }
  /// Everything that has a `Range` header.
  package static var ranged: RequestMatch { .header("Range") }

  package static func && (left: RequestMatch, right: RequestMatch) -> RequestMatch { .both(left, right) }
  package static func || (left: RequestMatch, right: RequestMatch) -> RequestMatch { .either(left, right) }
  package static prefix func ! (match: RequestMatch) -> RequestMatch { .not(match) }

  func matches(_ context: Context) -> Bool {
    switch self {
    case .any: true
    case .path(let path): context.request.path == path
    case .method(let method): context.request.method == method
    case .numbers(let range): range.contains(context.number)
    case .numbersForPath(let range): range.contains(context.numberForPath)
    case .every(let step): context.number % step == 0
    case .connections(let range): range.contains(context.connection)
    case .touches(let offset): context.request.method == "GET" && context.wanted.contains(offset)
    case .header(let name): context.request.header(name) != nil
    case .headerValue(let name, let value): context.request.headers.contains { $0.isNamed(name) && $0.value == value }
    case .query(let query): context.request.query == query
    case .openConnections(let limit): context.openConnections > limit
    case .activeRequests(let limit): context.activeRequests > limit
    case .opened(let gate): gate.isOpen
    case .both(let left, let right): left.matches(context) && right.matches(context)
    case .either(let left, let right): left.matches(context) || right.matches(context)
    case .not(let match): !match.matches(context)
    }
  }

  /// What a rule can see of a request.
  struct Context {
    let request: Request
    let number: Int
    let numberForPath: Int
    let connection: Int
    /// The bytes asked for; empty where there is no such resource or they are not satisfiable.
    let wanted: Range<UInt64>
    let openConnections: Int
    let activeRequests: Int
  }
}
