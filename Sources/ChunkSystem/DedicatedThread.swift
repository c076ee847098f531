internal import CLinuxShims
internal import Glibc

/// A thread of our own, for work that blocks: the cooperative pool has one thread a processor, and whoever blocks one stalls
/// every task of the process.
///
/// It ends when its body does. Whoever needs that to have happened joins it; a thread nobody joins cleans up after itself.
package final class DedicatedThread: Sendable {
  private enum State {
    case running(pthread_t)
    case joined
  }

  private let state: Lock<State>

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
    state = Lock(.running(thread))
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

  /// Runs `body` with the numbers from zero to below `count`, each on a thread of its own and zero on the calling one, and
  /// returns when all have returned.
  ///
  /// Where the system gives no more threads the calling one does what is left, one after the other: so number zero may wait
  /// for nobody, and the others for nobody but it.
  package static func concurrently(_ count: Int, name: String, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [DedicatedThread] = []
    var left: [Int] = []
    for number in 1..<max(1, count) {
      do throws(Errno) {
        threads.append(try DedicatedThread(name: "\(name) \(number)") { body(number) })
      } catch {
        left.append(number)
      }
    }
    body(0)
    for number in left { body(number) }
    for thread in threads { thread.join() }
  }

  /// Blocks the calling thread, one of our own, for so long.
  package static func pause(for duration: Duration) {
    let nothing = Monitor(())
    let _: Void? = nothing.wait(until: Instant.now.advanced(by: duration)) { _ in nil }
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
