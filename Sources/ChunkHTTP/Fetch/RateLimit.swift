import ChunkSystem

/// One token bucket for all connections of all loops.
package final class RateLimit: Sendable {
  private let start = Instant.now
  private let bucket: Lock<TokenBucket>
  package let bytesPerSecond: UInt64

  package init(bytesPerSecond: UInt64) {
    self.bytesPerSecond = bytesPerSecond
    bucket = Lock(TokenBucket(bytesPerSecond: bytesPerSecond, now: .zero))
  }

  package var isOpen: Bool {
    let now = start.duration(to: .now)
    return bucket.withLock { $0.isOpen(now: now) }
  }

  package var delay: Duration {
    let now = start.duration(to: .now)
    return bucket.withLock { $0.delay(now: now) }
  }

  package func spend(_ bytes: Int) {
    let now = start.duration(to: .now)
    bucket.withLock { $0.spend(bytes, now: now) }
  }
}
