internal import ChunkSystem
internal import Glibc

/// A door that starts closed and stays open once opened.
///
/// Scripts hold answers back at a gate and the test opens it, so that no test needs to sleep to get an order of events.
/// It is a pipe: opening writes one byte that nobody reads, so a thread can wait in one `poll` for the gate, its socket
/// and the end of the server. Any thread may open it, any number of times; it costs two descriptors until it dies.
package final class Gate: Sendable {
  let readEnd: CInt
  private let writeEnd: CInt
  private let opened = Monitor(false)

  /// Makes a closed gate. A process out of descriptors cannot run these tests, so that ends it.
  package init() {
    var ends: [CInt] = [-1, -1]
    let result = unsafe pipe(&ends)
    precondition(result == 0, "no descriptors left for a gate")
    readEnd = ends[0]
    writeEnd = ends[1]
    _ = fcntl(readEnd, F_SETFD, FD_CLOEXEC)
    _ = fcntl(writeEnd, F_SETFD, FD_CLOEXEC)
  }

  deinit {
    close(readEnd)
    close(writeEnd)
  }

  /// Whether it has been opened.
  package var isOpen: Bool { opened.read { $0 } }

  /// Lets everyone pass who waits or will wait.
  package func open() {
    let first = opened.change { state in
      defer { state = true }
      return !state
    }
    guard first else { return }
    // An empty pipe takes one byte without blocking. It is written, not closed, so that a copy of the descriptor in a
    // child process changes nothing.
    var byte: UInt8 = 1
    _ = unsafe write(writeEnd, &byte, 1)
  }
}

/// What an answer waits for. Every wait also ends with the connection or the server.
package enum Pause: Sendable {
  /// Until the test opens the gate.
  case gate(Gate)
  /// So long. Only where the time itself is what is tested.
  case duration(Duration)
  /// Until the client closes the connection or the server stops.
  case forever
}
