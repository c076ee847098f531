internal import Glibc

/// A moment of the clock that goes on while the machine is suspended, and that nobody can set.
///
/// So a deadline that passed during a suspension has passed when the machine wakes up.
package struct Instant: InstantProtocol {
  /// The time since the machine was started.
  private let sinceBoot: Duration

  private init(sinceBoot: Duration) {
    self.sinceBoot = sinceBoot
  }

  package static var now: Instant {
    var time = timespec()
    // It cannot fail: the clock exists, and the memory is ours.
    unsafe clock_gettime(CLOCK_BOOTTIME, &time)
    return Instant(sinceBoot: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }

  package func advanced(by duration: Duration) -> Instant {
    Instant(sinceBoot: sinceBoot + duration)
  }

  package func duration(to other: Instant) -> Duration {
    other.sinceBoot - sinceBoot
  }

  package static func < (left: Instant, right: Instant) -> Bool {
    left.sinceBoot < right.sinceBoot
  }
}
