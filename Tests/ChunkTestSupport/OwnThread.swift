internal import Glibc

/// Runs blocking work on a thread made for it and suspends until it is done.
///
/// Tests share a cooperative pool of as many threads as the machine has cores, often two; whoever blocks there stalls
/// all others.
package func onOwnThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
  let result = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Value, any Error>, Never>) in
    startThread { continuation.resume(returning: Result(catching: work)) }
  }
  return try result.get()
}

/// Starts a thread that nobody joins: it ends by itself and tells so through what it does last.
func startThread(_ body: @escaping @Sendable () -> Void) {
  let box = unsafe Unmanaged.passRetained(ThreadBody(body))
  var handle = pthread_t()
  let result = unsafe pthread_create(&handle, nil, runThreadBody, box.toOpaque())
  precondition(result == 0, "no threads left")
  pthread_detach(handle)
}

private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void
  init(_ run: @escaping @Sendable () -> Void) { self.run = run }
}

// A global function: a closure written in a main-actor context would trap on another thread.
private func runThreadBody(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // The pointer is the one `startThread` retained, and this is the only place that takes it back.
  guard let argument = unsafe argument else { return nil }
  let body = unsafe Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
  body.run()
  return nil
}
