import ChunkHTTP

/// One server and the way to it, as far as a scheduler can tell one from another. Rates are bytes a second, times are
/// seconds.
struct SimulatedServer {
  // The way to it, which it shares with nobody but its own connections.
  var rate: Double
  var roundTrip: Double
  /// Part of the packets that get lost on the way.
  var loss = 0.0
  /// What the narrowest queue holds, in products of its rate and the round trip.
  var queue = 1.0
  /// The most a receiver lets a connection have under way.
  var receiveWindow = 3.0 * 1_048_576

  // What the server makes of it.
  /// What one connection gets at most.
  var connectionRate = Double.infinity
  /// What `count` connections that are served at once get in all.
  var totalRate: (_ count: Int) -> Double = { _ in .infinity }
  /// Requests it serves at once; it answers 429 to more.
  var allowed = Int.max
  var retryAfter = 1.0
  /// From then on connections are reset and none can be made.
  var diesAt = Double.infinity
  /// From then on it takes requests and sends nothing.
  var silentFrom = Double.infinity
  /// Connections, counted from 0 in the order in which they are made, that crawl, and how fast.
  var stragglers: Range<Int> = 0..<0
  var stragglerRate = 16_384.0

  /// A path of `megabits` a second.
  init(megabits: Double, roundTrip: Double) {
    rate = megabits * 1e6 / 8
    self.roundTrip = roundTrip
  }

  func with(_ change: (inout SimulatedServer) -> Void) -> SimulatedServer {
    var copy = self
    change(&copy)
    return copy
  }

  var refusal: HTTPFailure {
    HTTPFailure(
      code: .status, message: "busy", isRetryable: true, retryAfter: .milliseconds(Int64(retryAfter * 1000)),
      status: 429)
  }
}
