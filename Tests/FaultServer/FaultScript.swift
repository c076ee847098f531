/// What a server does wrong, as a value.
package struct FaultScript: Sendable {
  /// The rules, in order; all that match a request apply.
  package var rules: [FaultRule]
  /// What happens to connections before and apart from requests.
  package var connections: ConnectionFaults

  /// A script of these rules; an empty one is a good server.
  package init(_ rules: [FaultRule] = [], connections: ConnectionFaults = ConnectionFaults()) {
    self.rules = rules
    self.connections = connections
  }
}

/// Requests and what is done to them.
package struct FaultRule: Sendable {
  package var match: RequestMatch
  package var actions: [FaultAction]
  /// How many matching requests go by before the rule applies.
  package var skip: Int
  /// To how many requests it applies then; nil for all.
  package var times: Int?

  /// A rule made of its parts; `on` reads better in a script.
  package init(match: RequestMatch, actions: [FaultAction], skip: Int = 0, times: Int? = nil) {
    self.match = match
    self.actions = actions
    self.skip = skip
    self.times = times
  }

  /// The actions for the requests that match.
  package static func on(_ match: RequestMatch, _ actions: FaultAction..., skip: Int = 0, times: Int? = nil)
    -> FaultRule
  {
    FaultRule(match: match, actions: actions, skip: skip, times: times)
  }

  /// The actions for every request.
  package static func always(_ actions: FaultAction...) -> FaultRule {
    FaultRule(match: .any, actions: actions, skip: 0, times: nil)
  }

  /// A wrong byte at this offset of a path, in the first `times` answers that hold it, or always.
  package static func flip(_ path: String, at offset: UInt64, times: Int? = nil) -> FaultRule {
    .on(.path(path) && .touches(offset), .flip([offset]), times: times)
  }

  /// A link that works for so many requests and is then refused with 403.
  package static func expire(_ path: String, after requests: Int) -> FaultRule {
    .on(.path(path) && .numberForPath((requests + 1)...), .status(403))
  }
}

/// What happens to connections whatever is asked on them.
package struct ConnectionFaults: Sendable {
  /// So many connections are open at most; more are not accepted, so that they connect and hear nothing.
  package var limit: Int?
  /// Waited for before each connection is accepted.
  package var acceptPause: Pause?
  /// Connections that are reset as soon as they are accepted, by number from 1.
  package var refused: ClosedRange<Int>?
  /// Connections end after so many body bytes.
  package var cut: Cut?

  /// A network that does not last.
  package struct Cut: Sendable {
    package var every: UInt64
    package var ending: FaultAction.Ending
    package var scope: Scope

    /// Who counts the bytes.
    package enum Scope: Sendable {
      /// Each connection its own.
      case connection
      /// All together: whichever sends the last byte of a portion ends.
      case server
    }

    /// A cut each time so many bytes have gone.
    package init(every: UInt64, _ ending: FaultAction.Ending, scope: Scope = .connection) {
      precondition(every > 0)
      self.every = every
      self.ending = ending
      self.scope = scope
    }
  }

  /// Good behaviour unless told otherwise.
  package init(
    limit: Int? = nil, acceptPause: Pause? = nil, refused: ClosedRange<Int>? = nil, cut: Cut? = nil
  ) {
    self.limit = limit
    self.acceptPause = acceptPause
    self.refused = refused
    self.cut = cut
  }
}
