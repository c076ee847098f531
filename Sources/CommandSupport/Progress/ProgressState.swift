/// What a progress line shows at one moment.
package struct ProgressState: Hashable, Sendable {
  /// What is worked on, usually a file name. From outside; escaped when it is shown.
  package var label: String
  /// Bytes that are done for good: verified, or hashed.
  package var done: UInt64
  /// Nil while the length is not known.
  package var total: UInt64?
  /// Bytes a second. Nil before there is anything to tell.
  package var rate: Double?
  /// Nil when it cannot be told.
  package var remaining: Duration?
  /// A word more at the end: `4 connections`.
  package var note: String?

  package init(
    label: String, done: UInt64, total: UInt64?, rate: Double? = nil, remaining: Duration? = nil, note: String? = nil
  ) {
    self.label = label
    self.done = done
    self.total = total
    self.rate = rate
    self.remaining = remaining
    self.note = note
  }

  /// From 0 to 1; 1 for the empty file. Nil when the total is not known.
  var fraction: Double? {
    guard let total else { return nil }
    return total == 0 ? 1 : min(1, Double(done) / Double(total))
  }

  /// Rounded down, so that 100 means done.
  var percent: Int? { fraction.map { Int($0 * 100) } }
}
