package import ChunkSystem
private import Synchronization

/// How far a fetch has come, at one moment.
package struct FetchActivity: Hashable, Sendable {
  /// Bytes of the body that the receiver has taken.
  package let bodyBytes: UInt64
  /// When something last happened: the start, the connection, the head, bytes of the body, the end of a pause.
  package let lastActivity: Instant
  /// The request can be sent: there is a connection. Until then the connect timeout decides.
  package let isConnected: Bool
  package let hasHead: Bool
  /// No byte comes because the receiver, or the rate limit, wants none.
  package let isPaused: Bool
}

/// The counters behind `FetchActivity`: written by the loop's thread, read by any.
package final class FetchMeter: Sendable {
  private let start = Instant.now
  private let bodyBytes = Atomic<UInt64>(0)
  private let nanosecondsToLastActivity = Atomic<Int64>(0)
  private let isConnected = Atomic<Bool>(false)
  private let hasHead = Atomic<Bool>(false)
  private let isPaused = Atomic<Bool>(false)

  package init() {}

  /// The counters, each as it is; no two of them are promised to be of the same moment.
  package var activity: FetchActivity {
    FetchActivity(
      bodyBytes: bodyBytes.load(ordering: .relaxed),
      lastActivity: start.advanced(by: .nanoseconds(nanosecondsToLastActivity.load(ordering: .relaxed))),
      isConnected: isConnected.load(ordering: .relaxed), hasHead: hasHead.load(ordering: .relaxed),
      isPaused: isPaused.load(ordering: .relaxed))
  }

  package func connected() {
    isConnected.store(true, ordering: .relaxed)
    touch()
  }

  package func receivedHead() {
    hasHead.store(true, ordering: .relaxed)
    touch()
  }

  package func took(_ count: Int) {
    bodyBytes.add(UInt64(count), ordering: .relaxed)
    touch()
  }

  package func paused() { isPaused.store(true, ordering: .relaxed) }

  /// The time of the pause does not count: what follows has as long as if something had just come.
  package func resumed() {
    touch()
    isPaused.store(false, ordering: .relaxed)
  }

  private func touch() {
    let (seconds, attoseconds) = start.duration(to: .now).components
    nanosecondsToLastActivity.store(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
  }
}
