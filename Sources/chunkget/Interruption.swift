internal import ChunkSystem
internal import CommandSupport

/// SIGINT or SIGTERM, once it has come; and SIGUSR1, with which somebody asks how things are.
final class Interruption: Sendable {
  private struct State {
    var signal: Signal?
    var onSignal: (@Sendable () -> Void)?
    var watch: SignalWatch?
  }

  private let state = Lock(State())

  /// - Parameter tell: Says how things are, on a thread of its own.
  init(tell: @escaping @Sendable () -> Void) {
    do throws(Errno) {
      let watch = try SignalWatch([.interrupt, .terminate, .user1]) { [weak self] signal in
        if signal == .user1 { tell() } else { self?.received(signal) }
      }
      state.withLock { $0.watch = watch }
    } catch {
      // Without a watch a signal ends the process at once, which loses nothing that was verified.
      Console.chunkget.tell("signals cannot be caught (\(error)); an interruption will be silent")
    }
  }

  var signal: Signal? { state.withLock(\.signal) }

  /// What to do when a signal comes; done at once when one has come.
  func whenReceived(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.onSignal = action
      return state.signal != nil
    }
    if isLate { action() }
  }

  private func received(_ signal: Signal) {
    let (isFirst, action) = state.withLock { state in
      defer { state.signal = state.signal ?? signal }
      return (state.signal == nil, state.onSignal)
    }
    // Whoever asks twice does not want to wait for anything. What was verified stays, as after any other end.
    if !isFirst { signal.endProcess() }
    action?()
  }
}
