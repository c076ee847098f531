internal import CLinuxShims
internal import Glibc
private import Synchronization

/// A thread of our own, for work that blocks: the cooperative pool has one thread a processor, and whoever blocks one stalls
/// every task of the process.
///
/// It ends when its body does. Whoever needs that to have happened joins it; a thread nobody joins cleans up after itself.
package final class DedicatedThread: Sendable {
  private enum State {
    case running(pthread_t)
    case joined
  }

  private let state: Mutex<State>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: What tools show it as; the kernel keeps 15 bytes.
  ///   - body: What it does.
  /// - Throws: ``Errno/wouldBlock`` when there are too many threads.
  package init(name: String, _ body: @escaping @Sendable () -> Void) throws(Errno) {
    let start = unsafe Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    // The new thread takes the reference over.
    let error = unsafe pthread_create(&thread, nil, runThread, start.toOpaque())
    guard error == 0 else {
      unsafe start.release()
      throw Errno(error)
    }
    state = Mutex(.running(thread))
  }

  deinit {
    if case .running(let thread) = state.withLock({ $0 }) {
      pthread_detach(thread)
    }
  }

  /// Blocks until the body has returned. May be called again, but not by several threads at once and not by itself.
  package func join() {
    let thread: pthread_t? = state.withLock { state in
      guard case .running(let thread) = state else { return nil }
      state = .joined
      return thread
    }
    if let thread {
      pthread_join(thread, nil)
    }
  }

  /// Runs `body` on a thread of its own and returns its result, without blocking the task that waits for it.
  package static func run<Value: Sendable>(
    name: String, _ body: @escaping @Sendable () -> Value
  ) async throws(Errno) -> Value {
    let result: Result<Value, Errno> = await withCheckedContinuation { continuation in
      do throws(Errno) {
        _ = try DedicatedThread(name: name) { continuation.resume(returning: .success(body())) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try result.get()
  }

  /// On how many processors this process may run.
  package static var processorCount: Int { Int(shim_processor_count()) }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}

private func runThread(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  // The argument is the reference `init` handed over, and this is its only use.
  guard let argument = unsafe argument else { return nil }
  let start = unsafe Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
  unsafe shim_name_this_thread(start.name)
  start.body()
  return nil
}
