internal import ChunkCore
internal import ChunkSystem

/// Pieces of a pack between those who make them and the one who writes them: handed out in order, made in any, taken in order.
final class PackLine: Sendable {
  private struct State: Sendable {
    /// The number of the piece that is handed out next, and of the one that is taken next.
    var nextToMake = 0
    var nextToTake = 0
    var made: [Int: PackPiece] = [:]
    var failure: StoreError?
    var isStopped = false
  }

  private enum Turn {
    case make(Int)
    case end
  }

  private let geometry: ChunkGeometry
  /// How many chunks a piece has: 1 MiB of them, or one.
  private let length: Int
  private let count: Int
  private let limit: Int
  private let state = Monitor(State())

  /// At most `limit` pieces are under way or wait to be taken.
  init(geometry: ChunkGeometry, limit: Int) {
    self.geometry = geometry
    self.limit = limit
    length = max(1, (1 << 20) / geometry.chunkSize.bytes)
    count = (geometry.chunkCount + length - 1) / length
  }

  // MARK: Those who make them

  /// The chunks of the next piece, after waiting for room; nil when there are no more to be made.
  func take() -> (number: Int, chunks: Range<ChunkIndex>)? {
    let turn: Turn? = state.wait { [count, limit] state in
      if state.isStopped || state.failure != nil || state.nextToMake == count { return .end }
      guard state.nextToMake - state.nextToTake < limit else { return nil }
      state.nextToMake += 1
      return .make(state.nextToMake - 1)
    }
    guard case .make(let number)? = turn else { return nil }
    let first = number * length
    return (number, ChunkIndex(first)..<ChunkIndex(min(first + length, geometry.chunkCount)))
  }

  func put(_ piece: PackPiece, _ number: Int) {
    state.change { $0.made[number] = piece }
  }

  func fail(_ error: StoreError) {
    state.change { $0.failure = $0.failure ?? error }
  }

  // MARK: The one who takes them

  /// The next piece, after waiting for it; nil after the last one.
  func next() throws(StoreError) -> PackPiece? {
    let next: Result<PackPiece?, StoreError>? = state.wait { [count] state in
      if let failure = state.failure { return .failure(failure) }
      if state.nextToTake == count { return .success(nil) }
      guard let piece = state.made.removeValue(forKey: state.nextToTake) else { return nil }
      state.nextToTake += 1
      return .success(piece)
    }
    return try next?.get()
  }

  /// Lets those who make pieces end.
  func stop() {
    state.change { $0.isStopped = true }
  }
}
