/// A rate, kept smoothly: a right to so many bytes a second accrues and is spent as they come, and at most a
/// twentieth of a second of it can be saved up.
///
/// A piece that has come is taken whole as long as anything is left, and the excess is owed; pieces are small, so the
/// rate is kept over any time longer than one piece takes.
package struct TokenBucket: Sendable {
  package let bytesPerSecond: UInt64
  private let capacity: Double
  private var balance: Double
  private var updated: Duration

  /// A full bucket. `now` is the time since a moment of the caller's choice.
  package init(bytesPerSecond: UInt64, now: Duration) {
    self.bytesPerSecond = max(1, bytesPerSecond)
    capacity = max(1, Double(self.bytesPerSecond) / 20)
    balance = capacity
    updated = now
  }

  /// Whether a piece may be taken.
  package mutating func isOpen(now: Duration) -> Bool {
    accrue(until: now)
    return balance > 0
  }

  package mutating func spend(_ bytes: Int, now: Duration) {
    accrue(until: now)
    balance -= Double(bytes)
  }

  /// How long until a piece may be taken, if nobody takes one before; zero when it may be.
  package mutating func delay(now: Duration) -> Duration {
    accrue(until: now)
    guard balance <= 0 else { return .zero }
    // One byte more than nothing.
    return .seconds((1 - balance) / Double(bytesPerSecond))
  }

  private mutating func accrue(until now: Duration) {
    guard now > updated else { return }
    balance = min(capacity, balance + (now - updated) / .seconds(1) * Double(bytesPerSecond))
    updated = now
  }
}
