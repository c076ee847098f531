internal import ChunkCore
internal import ChunkSystem

/// The chunks that are where they belong, for threads that must know at once whether bytes are still of use.
///
/// Only grows. The scheduler has its own view, which may lag behind by the events in its inbox.
final class SharedChunkSet: Sendable {
  private let members: Lock<ChunkSet>

  init(capacity: Int) {
    members = Lock(ChunkSet(capacity: capacity))
  }

  func contains(_ chunk: ChunkIndex) -> Bool {
    members.withLock { $0.contains(chunk) }
  }

  func insert(_ chunks: some Sequence<ChunkIndex>) {
    members.withLock { set in
      for chunk in chunks { set.insert(chunk) }
    }
  }
}
