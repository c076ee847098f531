/// A time-weighted moving average of a rate: α = 1 − e^(−Δt/τ), so that a stall lowers it smoothly instead of
/// throwing a remaining time to infinity at once.
///
/// Fed with a running total; samples may come at any distance. Not thread-safe, O(1).
struct RateEstimate: Sendable {
  private let timeConstant: Double
  private var last: (at: Double, total: UInt64)?
  private var average = 0.0
  /// How much of the average is measured rather than the zero it started from (bias correction).
  private var weight = 0.0

  /// - Parameter timeConstant: τ in seconds.
  init(timeConstant: Double) {
    self.timeConstant = timeConstant
  }

  /// Bytes a second, or nil before the second sample.
  var bytesPerSecond: Double? {
    weight > 0 ? average / weight : nil
  }

  /// Records that `total` bytes had arrived at `seconds` on any monotonic clock.
  mutating func record(total: UInt64, at seconds: Double) {
    guard let previous = last else {
      last = (seconds, total)
      return
    }
    let elapsed = seconds - previous.at
    guard elapsed > 0 else { return }
    let gained = total >= previous.total ? Double(total - previous.total) : 0
    let alpha = 1 - exponential(-elapsed / timeConstant)
    average += alpha * (gained / elapsed - average)
    weight += alpha * (1 - weight)
    last = (seconds, total)
  }
}

/// e^x for x ≤ 0, by halving the argument until its Taylor series converges in a few terms; this keeps the module
/// free of libm, of which it would need nothing else.
private func exponential(_ x: Double) -> Double {
  guard x > -700 else { return 0 }
  var halvings = 0
  var small = x
  while small < -0.5 {
    small /= 2
    halvings += 1
  }
  var term = 1.0
  var sum = 1.0
  for n in 1...12 {
    term *= small / Double(n)
    sum += term
  }
  for _ in 0..<halvings { sum *= sum }
  return sum
}
