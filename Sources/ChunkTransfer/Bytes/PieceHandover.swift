internal import ChunkStore
internal import ChunkSystem

/// Between the thread of a transfer that writes bytes out in order, and a task that wants them.
///
/// The transfer writes to a pipe, as to any stream. A thread reads from it and puts one piece at a time here, where the task
/// takes it. Invariants:
///
/// 1. The end is told only when the transfer has ended *and* the pipe is empty: no piece comes after it.
/// 2. The pipe is read to its end, also when nobody wants the bytes any more: a transfer never writes to a pipe that nobody
///    reads, which would be a signal to the whole process.
/// 3. Once abandoned it never tells of a good end: pieces may have been dropped.
final class PieceHandover: Sendable {
  typealias Piece = Result<[UInt8]?, TransferError>
  private typealias Taker = CheckedContinuation<Piece, Never>

  private struct State {
    var hasBegun = false
    var isReading = false
    var isAbandoned = false
    var piece: [UInt8]?
    var taker: Taker?
    var outcome: Result<TransferReport, TransferError>?

    /// What there is for whoever comes now; nil when that has to wait.
    mutating func next() -> Piece? {
      if let piece = piece.take() { return .success(piece) }
      guard let outcome, !isReading else { return nil }
      if isAbandoned, case .success = outcome { return .failure(Self.cancelled) }
      return outcome.map { _ in nil }
    }

    private static let cancelled = TransferError(.cancelled, "cancelled.", isRetryable: true)
  }

  private let state = Monitor(State())

  /// What was done; nil when that is not known yet, or nothing good.
  var report: TransferReport? { state.read { state in try? state.outcome?.get() } }

  /// - Returns: Whether this is the first call.
  func begin() -> Bool {
    state.change { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  // MARK: The side of the transfer

  /// Starts the thread that reads, and gives what is to be written to.
  func openPipe() throws(StoreError) -> OpenFile {
    do throws(Errno) {
      let pipe = try FileSystem().openPipe()
      state.change { $0.isReading = true }
      do throws(Errno) {
        _ = try DedicatedThread(name: "pieces") { [self, reader = pipe.reader] in
          do throws(Errno) {
            while let piece = try Self.read(reader) { put(piece) }
          } catch {
            // Which a pipe of our own has no reason for; but what is lost must not look like the end.
            abandon()
          }
          tell { $0.isReading = false }
        }
      } catch {
        state.change { $0.isReading = false }
        throw error
      }
      return pipe.writer
    } catch {
      throw StoreError(error, "cannot make one", path: "pipe")
    }
  }

  private static let pieceLength = 64 << 10

  /// What comes next in a pipe; nil when it is over.
  private static func read(_ pipe: OpenFile) throws(Errno) -> [UInt8]? {
    var piece = [UInt8](repeating: 0, count: pieceLength)
    var span = piece.mutableSpan
    let count = try pipe.descriptor.read(into: &span)
    if count == 0 { return nil }
    piece.removeLast(pieceLength - count)
    return piece
  }

  /// Waits until the last piece is taken.
  private func put(_ piece: [UInt8]) {
    let taker: Taker?? = state.wait { state in
      if state.isAbandoned { return .some(nil) }
      if let taker = state.taker.take() { return taker }
      if state.piece != nil { return nil }
      state.piece = piece
      return .some(nil)
    }
    if let taker = taker ?? nil { taker.resume(returning: .success(piece)) }
  }

  /// The transfer is over.
  func end(_ outcome: Result<TransferReport, TransferError>) {
    tell { $0.outcome = outcome }
  }

  /// Changes what is known, and lets whoever waits know if that is the end.
  private func tell(_ change: (inout State) -> Void) {
    let (taker, piece): (Taker?, Piece?) = state.change { state in
      change(&state)
      guard state.taker != nil, let piece = state.next() else { return (nil, nil) }
      return (state.taker.take(), piece)
    }
    if let taker, let piece { taker.resume(returning: piece) }
  }

  // MARK: The side of the task

  /// The next piece; nil at a good end.
  func take(isolation actor: isolated (any Actor)?) async -> Piece {
    await withCheckedContinuation(isolation: actor) { taker in
      let piece: Piece? = state.change { state in
        precondition(state.taker == nil, "an iterator is for one task")
        let piece = state.next()
        if piece == nil { state.taker = taker }
        return piece
      }
      if let piece { taker.resume(returning: piece) }
    }
  }

  /// Nobody wants any more pieces. May come before anything has begun.
  func abandon() {
    state.change { state in
      state.isAbandoned = true
      state.piece = nil
    }
  }
}
