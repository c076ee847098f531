internal import Glibc

/// State that one thread at a time can touch: what `Mutex` of the standard library is, and used in the same way.
///
/// It stands on the lock of the C library because the thread sanitizer knows that one. When threads compete for a `Mutex`, the
/// kernel hands it from one to the other where the sanitizer cannot see it, and it reports races that are none. For state
/// that threads have to wait for there is ``Monitor``.
// Sendable by hand, and safe: the value is touched only with the lock held, and the allocations live as long as the lock.
@safe
package struct Lock<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let value: UnsafeMutablePointer<Value>

  package init(_ initial: consuming sending Value) {
    // The kernel knows the mutex by its address, so it has one of its own.
    unsafe mutex = .allocate(capacity: 1)
    unsafe value = .allocate(capacity: 1)
    unsafe value.initialize(to: initial)
    unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    unsafe pthread_mutex_destroy(mutex)
    unsafe value.deinitialize(count: 1)
    unsafe mutex.deallocate()
    unsafe value.deallocate()
  }

  /// Runs `body` with the lock held. It must not ask for the same lock again.
  package borrowing func withLock<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(mutex)
    defer { unsafe pthread_mutex_unlock(mutex) }
    return try body(&(unsafe value.pointee))
  }
}
