internal import ChunkCore
private import Synchronization

/// The chunks of a file, handed out in runs to the threads that share the work, from front to back.
final class ChunkBatches: Sendable {
  let geometry: ChunkGeometry

  private let length: Int
  private let next = Atomic<Int>(0)

  /// A run has enough chunks for all lanes of a kernel, and at least 1 MiB, so that small chunks are read many at a time.
  init(geometry: ChunkGeometry) {
    self.geometry = geometry
    length = max(StripHasher.mostLanes, (1 << 20) / geometry.chunkSize.bytes)
  }

  /// The next run nobody has; `nil` when there is none left.
  func take() -> (number: Int, chunks: Range<ChunkIndex>)? {
    let number = next.add(1, ordering: .relaxed).oldValue
    let (first, overflow) = number.multipliedReportingOverflow(by: length)
    guard !overflow, first < geometry.chunkCount else { return nil }
    return (number, ChunkIndex(first)..<ChunkIndex(min(first + length, geometry.chunkCount)))
  }
}
