@testable import ChunkTransfer

/// One TCP connection as a fluid: a window that doubles every round trip until the first loss, is halved by each, and
/// grows slowly in between. That gives slow start and, with random loss, the rate of Mathis et al. (1997),
/// about 1.2 · MSS / (RTT · √loss).
struct SimulatedConnection {
  static let segment = 1460.0

  let server: Int
  let rateCap: Double
  var request: RequestID?
  /// When the answer to the request begins to come; a warm connection is silent for one round trip, a new one for two.
  var answersAt = 0.0
  private(set) var window = 10 * segment
  private var threshold = Double.infinity
  private var idleSince = 0.0
  private var lastLoss = -Double.infinity

  init(server: Int, rateCap: Double) {
    self.server = server
    self.rateCap = rateCap
  }

  func isSending(at time: Double) -> Bool { request != nil && answersAt <= time }

  mutating func rest(at time: Double) {
    request = nil
    idleSince = time
  }

  /// Another request on the same connection. A sender that was idle for longer than its retransmission timeout starts
  /// slowly again (RFC 5681, 4.1).
  mutating func ask(_ id: RequestID, at time: Double, roundTrip: Double) {
    request = id
    answersAt = time + roundTrip
    guard time - idleSince > 0.2 + roundTrip, window > 10 * Self.segment else { return }
    threshold = min(threshold, window)
    window = 10 * Self.segment
  }

  /// What it would have under way if nobody else were there.
  func offered(_ path: SimulatedServer) -> Double {
    min(window, path.receiveWindow, rateCap * path.roundTrip)
  }

  /// `bytes` arrived within `step` seconds, while a round trip took `roundTrip`.
  mutating func delivered(_ bytes: Double, step: Double, roundTrip: Double, path: SimulatedServer) {
    if window < threshold {
      window += bytes
    } else {
      // The second term stands for what CUBIC does on long paths.
      window += max(Self.segment, 0.02 * window) * step / roundTrip
    }
    window = min(window, path.receiveWindow, max(10 * Self.segment, 2 * rateCap * path.roundTrip))
  }

  /// A packet was lost. Those of one round trip count as one.
  mutating func lose(at time: Double, roundTrip: Double, keeping part: Double) {
    guard time - lastLoss > roundTrip else { return }
    lastLoss = time
    window = max(2 * Self.segment, window * part)
    threshold = window
  }
}
