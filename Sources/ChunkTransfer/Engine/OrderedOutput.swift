internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// Puts verified chunks out in order, whatever order they come in: the body of `-o -` and of a FIFO.
///
/// Memory is bounded by the scheduler's window: a chunk is asked for only when it is among the next `capacity − 2`
/// chunks, and each of those needs at most one buffer. So the lowest missing chunk always finds a buffer, and a slow
/// reader pauses the responses instead of filling memory.
final class OrderedOutput: ChunkSink {
  private struct State {
    var waiting: [ChunkIndex: VerifiedChunk] = [:]
    var next = ChunkIndex(0)
  }

  /// How far the stream has been written, for those who wait to put more into memory.
  private struct Written {
    var end = ChunkIndex(0)
    var isOver = false
  }

  private let state = Lock(State())
  private let written = Monitor(Written())
  private let ready: WorkQueue<VerifiedChunk>
  private let end = WorkQueue<Result<Void, TransferError>>(limit: 1)

  /// - Parameter capacity: how many chunk buffers there are.
  init(capacity: Int) {
    ready = WorkQueue(limit: capacity)
  }

  func place(_ chunks: [VerifiedChunk]) throws(TransferError) {
    state.withLock { state in
      for chunk in chunks {
        // Of two rivals that were verified at the same moment the second has nothing to add.
        if chunk.index >= state.next { state.waiting[chunk.index] = chunk }
      }
      while let chunk = state.waiting.removeValue(forKey: state.next) {
        state.next = state.next.advanced(by: 1)
        // Never waits: the queue has room for every buffer there is.
        ready.push(chunk)
      }
    }
  }

  /// Starts the thread that writes. It ends after `close`, or when the stream fails, which it posts.
  func start(into stream: OpenFile, post: @escaping @Sendable (EngineEvent) -> Void) throws(Errno) {
    _ = try DedicatedThread(name: "output") { [self] in
      while let chunk = ready.pop(upTo: 1)?.first {
        do throws(Errno) {
          // The chunk keeps its sealed bytes until it goes, after the write.
          let bytes = unsafe Span<UInt8>(_unsafeBytes: chunk.storage.sealedBytes)
          try stream.descriptor.write(bytes)
          written.change { $0.end = chunk.index.advanced(by: 1) }
          post(.outputAdvanced(to: chunk.index.advanced(by: 1)))
        } catch {
          let failure =
            error == .brokenPipe
            ? TransferError(.outputClosed, "whoever read the output has closed it")
            : TransferError(.disk, "the output cannot be written: \(error).")
          end.push(.failure(failure))
          post(.outputEnded(failure))
          return
        }
      }
      end.push(.success(()))
    }
  }

  /// Waits until `chunk` is among the next `window` chunks to be put out.
  ///
  /// - Returns: The end of these chunks; nil when nobody is to wait any more.
  func waitForTurn(of chunk: ChunkIndex, window: Int) -> ChunkIndex? {
    let end: ChunkIndex?? = written.wait { written in
      if written.isOver { return .some(nil) }
      let end = written.end.advanced(by: window)
      return chunk < end ? .some(end) : nil
    }
    return end ?? nil
  }

  /// Lets nobody wait for a turn any more.
  func endTurns() {
    written.change { $0.isOver = true }
  }

  /// Lets the thread end when it has written what is ready.
  func close() {
    ready.close()
  }

  /// Waits until all has been written, at most until `deadline`.
  ///
  /// - Returns: whether all has been written.
  /// - Throws: why the stream failed, if it did.
  func waitForEnd(until deadline: Instant) throws(TransferError) -> Bool {
    guard let result = end.pop(upTo: 1, until: deadline)?.first else { return false }
    try result.get()
    return true
  }
}
