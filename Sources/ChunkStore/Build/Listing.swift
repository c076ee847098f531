/// Puts what several threads found back in order. It holds no more than what the slowest of them is behind.
struct Listing<Found> {
  /// How much was reported.
  private(set) var count = 0
  private var next = 0
  private var early: [Int: [Found]] = [:]

  /// Takes what was found in the run of chunks of this number, and reports what nothing can come before any more.
  mutating func add(_ found: [Found], of number: Int, _ report: (Found) -> Void) {
    early[number] = found
    while let ready = early.removeValue(forKey: next) {
      ready.forEach(report)
      count += ready.count
      next += 1
    }
  }
}
