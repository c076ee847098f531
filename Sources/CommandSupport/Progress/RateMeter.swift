/// Bytes a second as a time-weighted moving average, α = 1 − e^(−Δt/τ): uneven samples count by the time they cover, so
/// a stall lets the rate decay and raises the remaining time step by step.
package struct RateMeter: Hashable, Sendable {
  private struct Sample: Hashable {
    let bytes: UInt64
    let at: Duration
  }

  private let timeConstant: Double
  private var last: Sample?
  /// Bytes a second; nil until two samples lie apart in time.
  package private(set) var rate: Double?

  /// - Parameter timeConstant: τ in seconds: how long a change takes to show by two thirds.
  package init(timeConstant: Double = 3) { self.timeConstant = timeConstant }

  /// Notes that `bytes` were done in all at `now`, which never goes back. Samples of the same moment are put together.
  package mutating func add(bytes: UInt64, now: Duration) {
    guard let last else {
      self.last = Sample(bytes: bytes, at: now)
      return
    }
    let elapsed = Self.seconds(now - last.at)
    guard elapsed > 0 else { return }
    let current = Double(bytes >= last.bytes ? bytes - last.bytes : 0) / elapsed
    self.last = Sample(bytes: bytes, at: now)
    guard let rate else {
      self.rate = current
      return
    }
    self.rate = rate + (1 - Self.exponential(-elapsed / timeConstant)) * (current - rate)
  }

  /// Time for the bytes that are left at this rate. Nil when nothing moves or it would take more than a year.
  package func remaining(bytes: UInt64) -> Duration? {
    guard let rate, rate > 0 else { return nil }
    let seconds = Double(bytes) / rate
    return seconds < 31_536_000 ? .seconds(seconds) : nil
  }

  private static func seconds(_ duration: Duration) -> Double {
    let (whole, attoseconds) = duration.components
    return Double(whole) + Double(attoseconds) * 1e-18
  }

  /// e^x for x ≤ 0 as (e^(x/1024))^1024, the inner one by four terms of its series; the C library has no place in this
  /// module. Right to ten digits down to x = −10; further down zero is near enough.
  private static func exponential(_ x: Double) -> Double {
    guard x > -30 else { return 0 }
    let step = x / 1024
    var power = 1 + step * (1 + step / 2 * (1 + step / 3 * (1 + step / 4)))
    for _ in 0..<10 { power *= power }
    return power
  }
}
