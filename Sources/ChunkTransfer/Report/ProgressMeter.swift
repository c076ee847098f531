internal import ChunkSystem

/// Makes progress values of what the steps of a transfer know, at most ten a second.
final class ProgressMeter: Sendable {
  private struct State {
    var rate = RateEstimate(timeConstant: 3)
    var lastTold: Instant?
    var checkedBytes: UInt64 = 0
  }

  private let total: UInt64?
  private let started = Instant.now
  private let observe: @Sendable (TransferProgress) -> Void
  private let state = Lock(State())

  private static let interval = Duration.milliseconds(100)

  /// A meter for a file of `total` bytes; nil when the length is not known.
  init(total: UInt64?, observe: @escaping @Sendable (TransferProgress) -> Void) {
    self.total = total
    self.observe = observe
  }

  /// Seconds since the meter was made.
  var elapsed: Double { started.duration(to: Instant.now).inSeconds }

  /// More bytes of an existing file have been looked at.
  func checked(_ bytes: UInt64) {
    let done = state.withLock { state -> UInt64? in
      state.checkedBytes += bytes
      return isDue(&state) ? state.checkedBytes : nil
    }
    if let done { observe(TransferProgress(phase: .checking, verifiedBytes: done, totalBytes: total)) }
  }

  /// What the engine knows now.
  func tell(_ phase: TransferProgress.Phase, _ engine: EngineState) {
    let rate = state.withLock { state -> Double?? in
      guard isDue(&state) || phase == .finishing else { return .none }
      state.rate.record(total: engine.counters.fetchedBytes, at: elapsed)
      return .some(state.rate.bytesPerSecond)
    }
    guard let rate else { return }
    observe(
      TransferProgress(
        phase: phase, verifiedBytes: engine.counters.fetchedBytes + engine.counters.reusedBytes, totalBytes: total,
        reusedBytes: engine.counters.reusedBytes, bytesPerSecond: rate, connections: engine.openRequests,
        sources: engine.sources.map { SourceProgress($0) }, map: engine.map))
  }

  private func isDue(_ state: inout State) -> Bool {
    let now = Instant.now
    if let last = state.lastTold, last.duration(to: now) < Self.interval { return false }
    state.lastTold = now
    return true
  }
}
