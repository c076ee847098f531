/// What a server has seen and done so far.
package struct Recording: Sendable {
  /// Every request in the order of arrival.
  package internal(set) var requests: [RecordedRequest] = []
  /// Connections accepted so far.
  package internal(set) var connections = 0
  /// Connections open now, and the most there were at a time.
  package internal(set) var openConnections = 0
  package internal(set) var mostConnections = 0
  /// Requests being answered now, and the most there were at a time.
  package internal(set) var activeRequests = 0
  package internal(set) var mostActiveRequests = 0
  /// Body bytes given to the kernel, of all answers. What the client did not read counts as well.
  package internal(set) var bodyBytesSent: UInt64 = 0

  /// The requests for one path.
  package func requests(to path: String) -> [RecordedRequest] { requests.filter { $0.request.path == path } }
  /// How many requests wait at a pause of the script.
  package var held: Int { requests.count { $0.phase == .held } }
  /// How many requests have been answered or broken off.
  package var finished: Int { requests.count { $0.phase == .finished } }
}

/// One request and what came of it.
package struct RecordedRequest: Sendable {
  /// From 1, on this server.
  package let number: Int
  /// From 1, for its path.
  package let numberForPath: Int
  /// From 1, on this server.
  package let connection: Int
  package let request: Request
  /// When its head was complete.
  package let arrived: ContinuousClock.Instant
  /// The status answered, nil before, and when there was no HTTP answer.
  package internal(set) var status: Int?
  /// The bytes of the resource that the answer says it holds; nil for other answers.
  package internal(set) var served: Range<UInt64>?
  /// Body bytes given to the kernel; framing of the chunked coding is not counted.
  package internal(set) var bodyBytesSent: UInt64 = 0
  package internal(set) var phase = Phase.answering
  /// How it ended, nil while it has not.
  package internal(set) var outcome: Outcome?

  package var method: String { request.method }
  package var path: String { request.path }
  package var query: String? { request.query }
  package var range: RequestedRange? { request.range }
  /// The value of the first request header of that name.
  package func header(_ name: String) -> String? { request.header(name) }

  /// Where an answer stands.
  package enum Phase: Hashable, Sendable {
    case answering
    /// At a pause of the script.
    case held
    case finished
  }

  /// How an answer ended.
  package enum Outcome: Hashable, Sendable {
    /// All sent that was to be sent.
    case complete
    /// Broken off by the script.
    case cut
    /// The client went away.
    case clientClosed
    /// The server was stopped.
    case stopped
  }
}
