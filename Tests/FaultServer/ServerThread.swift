internal import Glibc

/// A thread of the server's own, so that a script may block without starving Swift's cooperative pool.
///
/// Whoever makes one joins it, exactly once.
struct ServerThread: Sendable {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) throws(FaultServerError) {
    let box = unsafe Unmanaged.passRetained(Body(body))
    var handle = pthread_t()
    // The thread takes the retained body over; it is given back here when no thread came to be.
    let result = unsafe pthread_create(&handle, nil, runBody, box.toOpaque())
    guard result == 0 else {
      unsafe box.release()
      throw FaultServerError(.system, "pthread_create", errno: result)
    }
    self.handle = handle
  }

  func join() {
    _ = pthread_join(handle, nil)
  }

  fileprivate final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

// A global function: a closure written in a main-actor context would trap on another thread.
private func runBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // The pointer is the one `ServerThread.init` retained, and this is the only place that takes it back.
  guard let argument = unsafe argument else { return nil }
  let body = unsafe Unmanaged<ServerThread.Body>.fromOpaque(argument).takeRetainedValue()
  body.run()
  return nil
}
