internal import CLinuxShims
internal import Glibc

/// A signal a user, a shell or a service manager sends.
package struct Signal: Hashable, Sendable {
  package let rawValue: CInt

  private init(rawValue: CInt) {
    self.rawValue = rawValue
  }

  fileprivate init(_ byte: UInt8) {
    self.init(rawValue: CInt(byte))
  }

  package static let hangUp = Signal(rawValue: SIGHUP)
  package static let interrupt = Signal(rawValue: SIGINT)
  package static let terminate = Signal(rawValue: SIGTERM)
  package static let user1 = Signal(rawValue: SIGUSR1)
  package static let windowChange = Signal(rawValue: SIGWINCH)

  /// What the process receives as an error of the write instead, from now on.
  package static func ignoreBrokenPipes() {
    _ = shim_signal_ignore(SIGPIPE)
  }

  /// Ends the process the way the signal does by default, so that a shell sees what ended it. Returns if the default is
  /// to do nothing.
  package func endProcess() {
    shim_signal_raise_default(rawValue)
  }
}

/// Calls back, on a thread of its own, whenever one of some signals arrives. They do nothing else, until ``end()``.
///
/// There can be one at a time in a process, as there is one handler a signal.
package final class SignalWatch: Sendable {
  private let signals: [Signal]
  private let writer: OpenFile
  private let thread: DedicatedThread

  /// - Throws: What keeps a pipe or a thread from being made.
  package init(_ signals: [Signal], _ body: @escaping @Sendable (Signal) -> Void) throws(Errno) {
    let pipe = try FileSystem().openPipe()
    let (source, writer) = (pipe.reader, pipe.writer)
    thread = try DedicatedThread(name: "signals") {
      // The handler knows the other end by number, so that must stay open even if nobody keeps the watch.
      withExtendedLifetime(writer) {
        while let signal = source.nextSignal() {
          body(signal)
        }
      }
    }
    self.signals = signals
    self.writer = writer
    for signal in signals {
      _ = shim_signal_watch(signal.rawValue, writer.descriptor.rawValue)
    }
  }

  /// Brings back what the signals do by default and ends the thread. To be called once, and not by the callback.
  package func end() {
    for signal in signals {
      _ = shim_signal_unwatch(signal.rawValue)
    }
    // Zero is no signal. The pipe has room, or the thread is about to make some.
    let stop: [UInt8] = [0]
    do throws(Errno) {
      try writer.descriptor.write(stop.span)
    } catch {
      return
    }
    thread.join()
  }
}

extension OpenFile {
  fileprivate func nextSignal() -> Signal? {
    var byte: [UInt8] = [0]
    do throws(Errno) {
      var span = byte.mutableSpan
      guard try descriptor.read(into: &span) == 1 else { return nil }
    } catch {
      return nil
    }
    return byte[0] == 0 ? nil : Signal(byte[0])
  }
}

/// What is written to one end is read from the other.
package struct Pipe: Sendable {
  package let reader: OpenFile
  package let writer: OpenFile
}

extension FileSystem {
  package func openPipe() throws(Errno) -> Pipe {
    var ends: [CInt] = [-1, -1]
    _ = try calls.make(.open) { unsafe shim_pipe(&ends) }
    return Pipe(
      reader: OpenFile(FileDescriptor(owning: ends[0], calls: calls)),
      writer: OpenFile(FileDescriptor(owning: ends[1], calls: calls)))
  }
}
