internal import FaultServer

/// What the command line asks for, and the script it comes to.
struct FaultOptions: Sendable {
  var address = "127.0.0.1"
  var port: UInt16 = 0
  var generated: UInt64?
  var seed: UInt64 = 1

  /// The paths that faults are for; none means all.
  var paths: [String] = []
  var every: Int?
  var skip = 0
  var times: Int?

  var status: Int?
  var retryAfter: Int?
  var actions: [FaultAction] = []
  var flips: [UInt64] = []
  var requestLimit: Int?
  var connectionLimit: Int?
  var cutEvery: UInt64?
  var cutAfter: UInt64?
  var ending = FaultAction.Ending.close
  var trickle: Int?
  var trickleInterval = Duration.milliseconds(100)

  var script: FaultScript {
    var rules: [FaultRule] = []
    if let requestLimit {
      rules.append(rule(.activeRequests(above: requestLimit), [.status(429, retryAfter: .seconds(retryAfter ?? 1))]))
    }
    var actions = actions
    if let cutAfter { actions.append(.cut(after: cutAfter, ending)) }
    if let trickle { actions.append(.trickle(bytes: trickle, every: trickleInterval)) }
    if let status {
      actions.append(retryAfter.map { .status(status, retryAfter: .seconds($0)) } ?? .status(status))
    }
    if !actions.isEmpty { rules.append(rule(every.map { .every($0) } ?? .any, actions, limited: true)) }
    // Each wrong byte counts for itself: `--times 1` makes each of them wrong once.
    for offset in flips { rules.append(rule(.touches(offset), [.flip([offset])], limited: true)) }
    let cut = cutEvery.map { ConnectionFaults.Cut(every: $0, ending) }
    return FaultScript(rules, connections: ConnectionFaults(limit: connectionLimit, cut: cut))
  }

  private func rule(_ match: RequestMatch, _ actions: [FaultAction], limited: Bool = false) -> FaultRule {
    let onPaths = paths.dropFirst().reduce(paths.first.map { RequestMatch.path($0) }) { match, path in
      match.map { $0 || .path(path) }
    }
    return FaultRule(
      match: onPaths.map { $0 && match } ?? match, actions: actions, skip: limited ? skip : 0,
      times: limited ? times : nil)
  }
}
