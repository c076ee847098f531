internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// Which file of a batch comes next, and what became of those before.
final class BatchLedger: Sendable {
  struct Failure: Sendable {
    let name: String
    let reason: String
  }

  /// What there is to say at any time.
  struct State: Sendable {
    let files: Int
    var begun = 0
    var right = 0
    var failed = 0
    var bytes: UInt64 = 0
    var fetchedBytes: UInt64 = 0
    /// The first ones.
    var failures: [Failure] = []
    /// That of the first file that failed.
    var status = ExitStatus.success
    var isStopped = false

    var skipped: Int { files - begun }
    var ended: Int { right + failed }
  }

  private let continuesOnError: Bool
  private let state: Lock<State>
  /// Failures that are named at the end.
  static let named = 10

  init(files: Int, continuesOnError: Bool) {
    self.continuesOnError = continuesOnError
    state = Lock(State(files: files))
  }

  var now: State { state.withLock { $0 } }

  /// The number of the next file, from 0, and whether no other is under way or will be; nil when no more is to be begun.
  func next() -> (number: Int, isAlone: Bool)? {
    state.withLock { state in
      guard !state.isStopped, state.begun < state.files else { return nil }
      state.begun += 1
      return (state.begun - 1, state.begun == state.files && state.ended == state.begun - 1)
    }
  }

  /// Lets no more be begun.
  func stop() { state.withLock { $0.isStopped = true } }

  func note(_ outcome: FileCommand.Outcome, of name: String) {
    state.withLock { state in
      switch outcome {
      case .done(let report):
        state.right += 1
        state.bytes += report.length
        state.fetchedBytes += report.fetchedBytes
      case .failed(let status, let reason):
        state.failed += 1
        if state.status == .success { state.status = status }
        if state.failures.count < Self.named { state.failures.append(Failure(name: name, reason: reason)) }
        if !continuesOnError { state.isStopped = true }
      }
    }
  }
}
