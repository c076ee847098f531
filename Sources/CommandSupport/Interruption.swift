package import ChunkSystem

/// SIGINT and SIGTERM as a value that long work asks for. The first of them is a request to end tidily; the second ends the process
/// at once, as it would have without this.
package final class Interruption: Sendable {
  private let arrived: Monitor<Signal?>
  private let watch: SignalWatch

  /// Catches the two signals from now on. There can be one such object in a process.
  ///
  /// - Throws: What keeps a pipe or a thread from being made.
  package init() throws(Errno) {
    let arrived = Monitor<Signal?>(nil)
    self.arrived = arrived
    watch = try SignalWatch([.interrupt, .terminate]) { signal in
      let isFirst = arrived.change { (first: inout Signal?) -> Bool in
        guard first == nil else { return false }
        first = signal
        return true
      }
      if !isFirst { signal.endProcess() }
    }
  }

  /// The signal that came, if one did. Cheap enough to be asked for each piece of work.
  package var signal: Signal? { arrived.read { $0 } }

  /// Blocks the thread until one comes.
  package func wait() -> Signal {
    // Without a deadline the wait ends with a signal only.
    while true {
      if let signal = arrived.wait(for: { $0 }) { return signal }
    }
  }

  /// What the command ends with when it was interrupted; nil when it was not.
  package var status: ExitStatus? {
    signal.flatMap { ExitStatus.interruption(bySignal: $0.rawValue) }
  }

  /// Gives the signals back. Not to be called twice.
  package func end() { watch.end() }
}
