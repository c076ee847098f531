internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// Turns the body of one response into chunks.
///
/// The loop thread calls it with the head, with pieces of the body and with the end. Bytes are placed by what the
/// answer says of itself, never by what was asked. A chunk that is here already is passed over; a full one is sealed
/// and goes to the verify threads; when no buffer is free the response pauses and goes on with the buffer it is given.
final class SpanReceiver: ResponseReceiver {
  struct Context: Sendable {
    let geometry: ChunkGeometry
    let layout: SpanLayout
    let here: SharedChunkSet
    /// What the survey has found to be missing so far; nil when all is wanted from the beginning.
    let asked: SharedChunkSet?
    let pool: BufferPool
    /// Where frames arrive.
    let frames: BufferPool
    /// In unverified mode: the version all bytes must come from.
    let version: Validator?
    let post: @Sendable (EngineEvent) -> Void
    let deliver: @Sendable (SealedChunk) -> Void
  }

  struct State {
    var filling: Filling?
    /// A buffer that waits for the next chunk to begin.
    var spare: ChunkBuffer?
    var next: ChunkIndex
    var end: ChunkIndex
    /// Offset of the next byte of the body in what the source has: the file, a pack, an object.
    var position: UInt64 = 0
    /// The body may not be read yet: the engine has to decide.
    var isHeld = false
    /// A whole body has come to a chunk of which is not yet known whether it is on disk.
    var waitsForSurvey = false
    var reason: RequestEnd?
    var movedTo: String?
    var received = ReceivedBytes()
  }

  let span: SpanRequest
  var layout: SpanLayout { context.layout }
  private let request: RangeRequest
  let context: Context
  private let state: Lock<State>

  /// A receiver of the answer to `request`, which is `span` as it goes out. `filling` is a chunk at the front of the span
  /// that broke off before; `buffer` is for the first chunk that needs one.
  init(span: SpanRequest, request: RangeRequest, context: Context, buffer: ChunkBuffer?, filling: Filling?) {
    self.span = span
    self.request = request
    self.context = context
    state = Lock(State(filling: filling, spare: buffer, next: span.chunks.lowerBound, end: span.chunks.upperBound))
  }

  // MARK: From the engine

  /// Stop in front of `chunk`: the rest belongs to another request now.
  func limit(before chunk: ChunkIndex) {
    state.withLock { $0.end = min($0.end, chunk) }
  }

  /// Read the whole file as it comes, from its first byte.
  func acceptWholeBody() {
    state.withLock { state in
      state.isHeld = false
      if let filling = state.filling, filling.chunk != ChunkIndex(0) {
        // It comes again in its turn; until then its buffer serves the chunks before it.
        state.received.discarded += UInt64(filling.buffer.filled)
        state.spare = filling.buffer
        state.filling = nil
      }
      state.next = ChunkIndex(0)
      state.end = context.geometry.chunks.upperBound
    }
  }

  /// The survey knows of more chunks than it did.
  ///
  /// - Returns: Whether the response has paused because of it, and is to be resumed.
  func surveyHasGoneOn() -> Bool {
    state.withLock { state in
      defer { state.waitsForSurvey = false }
      return state.waitsForSurvey
    }
  }

  /// The request is about to be cancelled, and this is what to call it.
  func setReason(_ reason: RequestEnd) {
    state.withLock { state in
      if state.reason == nil { state.reason = reason }
    }
  }

  /// What has arrived so far.
  var received: ReceivedBytes { state.withLock { received($0) } }

  /// The response paused for want of a buffer; here is one.
  private func give(_ buffer: ChunkBuffer) {
    let isUseful = state.withLock { state in
      guard state.spare == nil, state.reason == nil else { return false }
      state.spare = buffer
      return true
    }
    if isUseful { context.post(.bufferArrived(span.id)) }
  }

  // MARK: From the loop thread

  func receive(head: ResponseHead) -> HeadDecision {
    let duplicates = head.duplicates
    if !duplicates.isEmpty { context.post(.duplicatesNamed(duplicates, by: span.source)) }
    switch RangeAnswer.judge(head, for: request) {
    case .body(let start, _, _):
      if let failure = versionFailure(head) { return refuse(.changed(failure)) }
      state.withLock { $0.position = start }
      context.post(.answered(span.id))
      return .accept
    case .wholeBody:
      if let failure = versionFailure(head) { return refuse(.changed(failure)) }
      if case .pack = span.form { return refuse(.failed(.unusableRange(head))) }
      // Of an object that was to be gone on with, what is here already is skipped.
      let isWanted = request.range == nil || span.form != .file
      state.withLock { state in
        state.position = 0
        state.isHeld = !isWanted
      }
      context.post(isWanted ? .answered(span.id) : .wholeBodyOffered(span.id))
      return .accept
    case .redirect(let location):
      state.withLock { $0.movedTo = location }
      return .refuse
    case .notSatisfiable where span.form != .file:
      return refuse(span.form == .pack ? .failed(.packEnds(head)) : .missing)
    case .unusable(let failure) where span.form == .object(.plain) && failure.code == .wrongTotal,
      .status(let failure) where isAbsent(failure):
      // What is there is not that chunk.
      return refuse(.missing)
    case .notSatisfiable(let total):
      return refuse(.failed(.notSatisfiable(head, total: total, expected: context.geometry.fileLength)))
    case .unusable(let failure), .status(let failure):
      return refuse(.failed(failure))
    }
  }

  func receive(body: Span<UInt8>) -> BodyDecision {
    var sealed: [SealedChunk] = []
    let (decision, waitsForBuffer) = state.withLock { state in
      let decision = consume(body, &state, &sealed)
      if case .partlyTaken = decision { return (decision, !state.waitsForSurvey) }
      return (decision, false)
    }
    tell(sealed)
    // Not under the lock: a buffer may be there by now, and is then given before this returns.
    if waitsForBuffer { context.pool.whenAvailable { [self] buffer in give(buffer) } }
    return decision
  }

  func finished(_ outcome: FetchOutcome) {
    var sealed: [SealedChunk] = []
    let event = state.withLock { state -> EngineEvent in
      defer {
        state.filling = nil
        state.spare = nil
      }
      if outcome == .complete, context.layout.endsWithBody, state.filling != nil { seal(&state, &sealed) }
      if let location = state.movedTo, state.reason == nil {
        state.reason = .cancelled
        return .redirected(span.id, location: location, state.filling, state.spare)
      }
      let hasGained = state.received.payload > 0 || state.next >= state.end
      let end = state.reason ?? Self.end(for: outcome, gained: hasGained)
      state.reason = end
      var received = received(state)
      if let frame = state.filling?.frame {
        // Of a frame nobody else can go on with a part.
        received.discarded += UInt64(frame.filled)
        state.filling = nil
      }
      return .ended(span.id, end, received, state.filling)
    }
    tell(sealed)
    context.post(event)
  }

  /// Told before the verdict can be: events of one thread keep their order.
  private func tell(_ sealed: [SealedChunk]) {
    for chunk in sealed {
      context.post(.sealed(chunk.chunk, by: span.id))
      context.deliver(chunk)
    }
  }

  /// An object is not there; some servers say of it that it is nobody's business.
  private func isAbsent(_ failure: HTTPFailure) -> Bool {
    guard case .object = span.form, let status = failure.status else { return false }
    return [403, 404, 410].contains(status)
  }

  private func refuse(_ end: RequestEnd) -> HeadDecision {
    setReason(end)
    return .refuse
  }

  private func versionFailure(_ head: ResponseHead) -> HTTPFailure? {
    guard let version = context.version else { return nil }
    guard let found = head.validator, found.isSameVersion(as: version) else {
      return .changed(head, "it has another ETag or date")
    }
    return nil
  }

  private static func end(for outcome: FetchOutcome, gained: Bool) -> RequestEnd {
    switch outcome {
    // A shorter range than asked for is an answer too; the rest is asked for again.
    case .complete: gained ? .complete : .missing
    case .stopped: .complete
    case .cancelled, .refused: .cancelled
    case .failed(let failure): .failed(failure)
    }
  }
}
