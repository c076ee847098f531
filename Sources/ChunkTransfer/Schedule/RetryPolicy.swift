/// When to try again. Pure: the caller passes the random number in.
///
/// Source: design of the transfer rules, `Spec/transfer-v1.md` section "Retry".
struct RetryPolicy: Sendable, Equatable {
  /// Failures in a row of one source, with nothing gained in between, after which it is given up.
  var attempts: Int
  /// The first pause; it doubles with every further failure.
  var firstPause: Duration
  var longestPause: Duration
  /// How long the transfer may go without a verified chunk.
  var patience: Duration
  /// A request that brought this much before it broke costs neither an attempt nor a pause: on a link that is cut
  /// every 100 KiB, each cut still moves the transfer on.
  var worthwhile: UInt64

  init(
    attempts: Int = 5, firstPause: Duration = .seconds(1), longestPause: Duration = .seconds(60),
    patience: Duration = .seconds(600), worthwhile: UInt64 = 16 * 1024
  ) {
    self.attempts = attempts
    self.firstPause = firstPause
    self.longestPause = longestPause
    self.patience = patience
    self.worthwhile = worthwhile
  }

  /// The pause before attempt number `failures + 1`; `jitter` in 0..<1 spreads clients that failed together over
  /// the upper half of the pause. What the server asked for (`Retry-After`) is never undercut.
  func pause(afterFailures failures: Int, jitter: Double, serverAsked: Duration?) -> Duration {
    var pause = firstPause
    for _ in 1..<max(1, failures) where pause < longestPause { pause = pause * 2 }
    pause = min(pause, longestPause)
    let spread = pause * (0.5 + jitter / 2)
    guard let serverAsked else { return spread }
    return max(spread, serverAsked)
  }
}
