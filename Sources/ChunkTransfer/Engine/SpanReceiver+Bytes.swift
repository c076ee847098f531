internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// Bytes into chunks. All of it is called under the lock of the receiver.
extension SpanReceiver {
  /// Takes what it can of the body, and puts the chunks that it completes into `sealed`.
  func consume(_ body: Span<UInt8>, _ state: inout State, _ sealed: inout [SealedChunk]) -> BodyDecision {
    guard !state.isHeld else { return .pause }
    var offset = 0
    while offset < body.count {
      guard state.next < state.end else { return .stop }
      let chunk = context.layout.place(of: state.next)
      let needed = chunk.offset + UInt64(state.filling?.arrived ?? 0)
      if state.position < needed {
        skip(to: needed, body.count, &state, &offset)
      } else if state.filling == nil, context.here.contains(state.next) {
        skip(to: chunk.end, body.count, &state, &offset)
        if state.position == chunk.end { state.next = state.next.advanced(by: 1) }
      } else if state.filling == nil, !isSurveyed(state.next) {
        state.waitsForSurvey = true
        return .partlyTaken(offset)
      } else if var filling = state.filling ?? begin(&state) {
        let taken = (filling.frame ?? filling.buffer).append(body.extracting(offset..<body.count))
        filling.contributors.insert(span.source)
        advance(&state, by: taken, &offset)
        state.filling = filling
        if filling.isComplete { seal(&state, &sealed) }
      } else {
        return .partlyTaken(offset)
      }
    }
    // An answer that ends here by itself leaves its connection fit for the next request.
    return .taken
  }

  /// Whether it is known if the chunk is on disk. Asked under the lock, so that a survey that goes on meanwhile either is
  /// seen here or finds the response waiting.
  private func isSurveyed(_ chunk: ChunkIndex) -> Bool {
    guard let asked = context.asked else { return true }
    return asked.contains(chunk) || context.here.contains(chunk)
  }

  func seal(_ state: inout State, _ sealed: inout [SealedChunk]) {
    guard let filling = state.filling else { return }
    sealed.append(SealedChunk(filling: filling, request: span.id))
    state.filling = nil
    state.next = state.next.advanced(by: 1)
  }

  /// Passes over bytes that nobody needs.
  private func skip(to target: UInt64, _ end: Int, _ state: inout State, _ offset: inout Int) {
    let count = Int(min(UInt64(end - offset), target - state.position))
    advance(&state, by: count, &offset)
    state.received.discarded += UInt64(count)
  }

  private func advance(_ state: inout State, by count: Int, _ offset: inout Int) {
    offset += count
    state.position += UInt64(count)
    state.received.payload += UInt64(count)
  }

  /// What has come, also in bytes of the file: of a frame, in proportion.
  func received(_ state: State) -> ReceivedBytes {
    var received = state.received
    received.content = received.payload
    guard span.form.isEncoded else { return received }
    let geometry = context.geometry
    let whole = geometry.range(of: span.chunks.lowerBound..<state.next).count
    var part = 0.0
    if let frame = state.filling?.frame {
      part = Double(frame.filled) / Double(frame.length) * Double(geometry.length(of: state.next))
    }
    received.content = whole + UInt64(part)
    return received
  }

  /// A buffer for the next chunk: the spare one, or one of the pool.
  private func begin(_ state: inout State) -> Filling? {
    guard let buffer = state.spare ?? context.pool.take() else { return nil }
    var frame: ChunkBuffer?
    if span.form.isEncoded {
      state.spare = buffer
      frame = context.frames.take()
      guard let frame else { return nil }
      frame.begin(length: Int(context.layout.place(of: state.next).count))
    }
    state.spare = nil
    buffer.begin(length: context.geometry.length(of: state.next))
    return Filling(chunk: state.next, buffer: buffer, contributors: [], frame: frame)
  }
}
