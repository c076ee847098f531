internal import ChunkSystem

/// What one host has shown to allow. All sources of an origin share it.
///
/// How many requests a host takes at once is learned from what it serves, not from what is open when a refusal is
/// handled: by then a short answer may have ended, or another refusal be on its way. A host that refuses a request
/// while it serves `n` others has said that `n` is its number, and that is *confirmed*. A lower number than that is a
/// guess, and is raised, one at a time, as soon as the host may be asked again.
struct Host: Sendable {
  /// Requests that may be open at once.
  private(set) var ceiling = Int.max
  /// It has asked not to be asked before.
  private(set) var closedUntil: Instant?
  /// When one more than the ceiling may be tried.
  private var raiseAt: Instant?
  private var restBeforeRaise = Duration.seconds(60)

  /// It refused a request (429 or 503).
  ///
  /// - Parameters:
  ///   - served: the most requests it served at once while that one was open.
  ///   - open: requests that are open still, answered or not.
  ///   - reopens: it is not to be asked before.
  mutating func refused(whileServing served: Int, open: Int, reopens: Instant) {
    closedUntil = max(closedUntil ?? reopens, reopens)
    ceiling = max(1, served, min(ceiling, open))
    if served >= ceiling {
      // What it said may be true of this minute only, so it is asked again, ever more rarely.
      raiseAt = reopens.advanced(by: restBeforeRaise)
      restBeforeRaise = restBeforeRaise * 2
    } else {
      raiseAt = reopens
    }
  }

  /// It serves so many requests at once.
  mutating func serves(_ count: Int, at now: Instant) {
    guard count >= ceiling else { return }
    ceiling = count
    if let raiseAt, now >= raiseAt { ceiling += 1 }
  }

  func isClosed(at now: Instant) -> Bool { closedUntil.map { now < $0 } ?? false }
}
