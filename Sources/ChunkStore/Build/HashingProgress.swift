private import Synchronization

/// How far the hashing of a file has come, for whoever shows it; and the way to stop it. Any thread may ask and stop.
package final class HashingProgress: Sendable {
  private let bytes = Atomic<UInt64>(0)
  private let total = Atomic<UInt64>(0)
  private let stopped = Atomic<Bool>(false)

  package init() {}

  /// How many bytes are done, holes included.
  package var bytesDone: UInt64 { bytes.load(ordering: .relaxed) }

  /// How many there are to do; zero until that is known.
  package var bytesTotal: UInt64 { total.load(ordering: .relaxed) }

  /// Lets the work end with ``StoreError/Code/cancelled``, within a few megabytes.
  package func cancel() {
    stopped.store(true, ordering: .relaxed)
  }

  package var isCancelled: Bool { stopped.load(ordering: .relaxed) }

  func begin(total count: UInt64) {
    total.store(count, ordering: .relaxed)
  }

  func add(_ count: UInt64) {
    bytes.add(count, ordering: .relaxed)
  }
}
