internal import Glibc

/// Who of those that wait for a state has to look at it again. A wake-up costs two system calls and a switch of threads.
package enum Wake: Sendable {
  case nobody
  /// Any one of them. Only where all wait for the same.
  case one
  case all
}

/// State under a lock, for threads that sleep until it is as they want it.
///
/// What ``Lock`` is, plus waiting. Only our own threads may wait; a task would take a thread of the cooperative pool with it.
// Sendable by hand, and safe: the state is touched only with the lock held, and the allocations live as long as the object.
@safe
package final class Monitor<State: ~Copyable>: @unchecked Sendable {
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private let change: UnsafeMutablePointer<pthread_cond_t>
  private let state: UnsafeMutablePointer<State>

  package init(_ initial: consuming sending State) {
    // The kernel knows mutex and condition by their address, so they have one of their own.
    unsafe lock = .allocate(capacity: 1)
    unsafe change = .allocate(capacity: 1)
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: initial)
    unsafe pthread_mutex_init(lock, nil)
    var attributes = pthread_condattr_t()
    unsafe pthread_condattr_init(&attributes)
    unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    unsafe pthread_cond_init(change, &attributes)
    unsafe pthread_condattr_destroy(&attributes)
  }

  deinit {
    // Nobody waits: a waiting thread would hold a reference.
    unsafe pthread_cond_destroy(change)
    unsafe pthread_mutex_destroy(lock)
    unsafe state.deinitialize(count: 1)
    unsafe lock.deallocate()
    unsafe change.deallocate()
    unsafe state.deallocate()
  }

  /// Runs `body` with the lock held, and then wakes those who wait so that they look again.
  package func change<Result: ~Copyable, Failure: Error>(
    _ body: (inout sending State) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    unsafe pthread_mutex_lock(lock)
    defer {
      unsafe pthread_cond_broadcast(change)
      unsafe pthread_mutex_unlock(lock)
    }
    return try body(&(unsafe state.pointee))
  }

  /// Runs `body` with the lock held, and then wakes whom it says.
  package func update<Result>(_ body: (inout sending State) -> (result: Result, wake: Wake)) -> Result {
    unsafe pthread_mutex_lock(lock)
    let (result, wake) = body(&(unsafe state.pointee))
    unsafe pthread_mutex_unlock(lock)
    // After the lock, or who is woken would only wait for that.
    signal(wake)
    return result
  }

  /// As ``wait(until:for:)``, with `body` saying who is woken when it has returned something.
  package func waitToUpdate<Result>(
    until deadline: Instant? = nil, for body: (inout State) -> (result: Result, wake: Wake)?
  ) -> Result? {
    unsafe pthread_mutex_lock(lock)
    while true {
      if let (result, wake) = body(&(unsafe state.pointee)) {
        unsafe pthread_mutex_unlock(lock)
        signal(wake)
        return result
      }
      guard sleep(until: deadline) else { break }
    }
    unsafe pthread_mutex_unlock(lock)
    return nil
  }

  /// Runs `body`, which looks and changes nothing, with the lock held.
  package func read<Result>(_ body: (borrowing State) -> Result) -> Result {
    unsafe pthread_mutex_lock(lock)
    defer { unsafe pthread_mutex_unlock(lock) }
    return body(unsafe state.pointee)
  }

  /// Runs `body` with the lock held until it returns something, sleeping in between until the state has changed.
  ///
  /// - Returns: What `body` returned, or `nil` when it was `nil` still at the deadline. Others who wait are woken as well,
  ///   as `body` may have changed the state.
  package func wait<Result>(
    until deadline: Instant? = nil, for body: (inout State) -> Result?
  ) -> Result? {
    waitToUpdate(until: deadline) { state in body(&state).map { ($0, .all) } }
  }

  private func signal(_ wake: Wake) {
    switch wake {
    case .nobody: break
    case .one: unsafe pthread_cond_signal(change)
    case .all: unsafe pthread_cond_broadcast(change)
    }
  }

  /// Sleeps with the lock given up; false when the deadline had passed before.
  private func sleep(until deadline: Instant?) -> Bool {
    guard let deadline else {
      unsafe pthread_cond_wait(change, lock)
      return true
    }
    let left = Instant.now.duration(to: deadline)
    if left <= .zero { return false }
    waitForChange(atMost: min(left, .seconds(1)))
    return true
  }

  /// Sleeps with the lock given up until woken, or until the time is over.
  ///
  /// A condition cannot wait by the clock of ``Instant``, which counts suspended time. So nobody asks for more than a
  /// second at once, and a deadline that passed while the machine was suspended is noticed within one.
  private func waitForChange(atMost duration: Duration) {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    let end = Duration.seconds(time.tv_sec) + .nanoseconds(time.tv_nsec) + duration
    time.tv_sec = Int(end.components.seconds)
    time.tv_nsec = Int(end.components.attoseconds / 1_000_000_000)
    _ = unsafe pthread_cond_timedwait(change, lock, &time)
  }
}
