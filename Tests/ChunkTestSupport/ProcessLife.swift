internal import CTestShims
internal import ChunkSystem
internal import Glibc

/// Whether a child still runs, so that signals reach it and nobody else.
final class ProcessLife: Sendable {
  private struct State {
    var end: process_end?
    var waiters: [CheckedContinuation<process_end, Never>] = []
  }

  private let number: pid_t
  private let leadsGroup: Bool
  private let state = Monitor(State())

  init(_ number: pid_t, leadsGroup: Bool) {
    self.number = number
    self.leadsGroup = leadsGroup
  }

  var hasEnded: Bool { state.read { $0.end != nil } }

  /// Waits for the end on a thread of its own. It is reaped under the lock: before that its number is nobody else's.
  func watch() throws(Errno) {
    _ = try DedicatedThread(name: "test process") { [self] in
      wait_for_end(number)
      let (end, waiters) = state.change { state in
        var end = process_end()
        unsafe reap(number, &end)
        state.end = end
        defer { state.waiters = [] }
        return (end, state.waiters)
      }
      for waiter in waiters { waiter.resume(returning: end) }
    }
  }

  func kill(_ signal: CInt) {
    state.change { state in
      if state.end == nil { _ = Glibc.kill(leadsGroup ? -number : number, signal) }
    }
  }

  func end() async -> process_end {
    await withCheckedContinuation { continuation in
      let end = state.change { state in
        if state.end == nil { state.waiters.append(continuation) }
        return state.end
      }
      if let end { continuation.resume(returning: end) }
    }
  }
}
