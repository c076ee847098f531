internal import ChunkSystem

/// How many connections to use: more while that makes the whole faster, fewer when it does not.
///
/// A hill climb on goodput. Every interval the rate of the whole is compared with the best seen at a lower limit: a
/// gain of a tenth keeps the raise and tries another, anything less takes it back and rests. A server that says
/// "too many" lowers the ceiling for good.
struct ConcurrencyLimit: Sendable {
  /// Connections that may be open now.
  private(set) var current: Int
  private var ceiling: Int
  private let isFixed: Bool
  private var bestRate = 0.0
  private var beforeRaise: Int?
  private var lastSample: (at: Instant, bytes: UInt64)?
  private var restUntil: Instant?

  private static let interval = Duration.milliseconds(500)
  private static let rest = Duration.seconds(5)

  /// `fixed` is what the user asked for with `-x`; nil lets the limit follow the goodput, but never over `ceiling`.
  init(fixed: Int?, start: Int = 4, ceiling: Int) {
    isFixed = fixed != nil
    self.ceiling = fixed ?? ceiling
    current = fixed ?? min(start, ceiling)
  }

  /// The server refused one connection too many while `open` others were open.
  mutating func refused(whileOpen open: Int) {
    ceiling = max(1, min(ceiling, open))
    current = min(current, ceiling)
    beforeRaise = nil
  }

  /// Records the bytes that had arrived in all by `now`. `isSaturated` tells that every allowed connection was in
  /// use and more work was waiting: without that a rate says nothing about the limit.
  mutating func record(total bytes: UInt64, at now: Instant, isSaturated: Bool) {
    guard !isFixed else { return }
    guard let last = lastSample, isSaturated else {
      lastSample = (now, bytes)
      return
    }
    let elapsed = last.at.duration(to: now)
    guard elapsed >= Self.interval else { return }
    lastSample = (now, bytes)
    let rate = Double(bytes - last.bytes) / elapsed.inSeconds
    judge(rate: rate, at: now)
  }

  private mutating func judge(rate: Double, at now: Instant) {
    if let before = beforeRaise {
      beforeRaise = nil
      if rate > bestRate * 1.1 {
        bestRate = rate
        raise()
      } else {
        current = before
        restUntil = now.advanced(by: Self.rest)
      }
      return
    }
    if let restUntil, now < restUntil {
      bestRate = rate
      return
    }
    bestRate = rate
    raise()
  }

  private mutating func raise() {
    guard current < ceiling else { return }
    beforeRaise = current
    current = min(ceiling, current + max(1, current / 2))
  }
}
