internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// One place the bytes can come from, with all that is known about it. Pure state, owned by the scheduler.
struct Source: Sendable {
  /// Whether it may be asked.
  enum Standing: Sendable {
    case active
    /// It failed too often, or for good.
    case failed(HTTPFailure)
    /// It gave wrong bytes too often to be believed again in this transfer.
    case quarantined
  }

  let id: SourceID
  let form: SourceForm
  /// What the user, the manifest or a link named. Its origin is what a ceiling of connections counts by.
  let url: HTTPURL
  var standing = Standing.active

  // Where its redirects led. One request at a time finds out; the others wait for it.
  var resolvedURL: HTTPURL?
  var resolver: RequestID?
  var generation = 0

  /// It said that it speaks nothing else.
  var needsHTTP2 = false
  var open = 0
  /// Connections whose answers have ended and that can be asked for more.
  var idleConnections = 0
  var failuresInARow = 0
  /// When the last of these was noticed.
  var failedAt: Instant?
  var notBefore: Instant?
  /// It has answered a range with that range.
  var hasGivenRanges = false
  /// Ranges that were answered with something else since the last that was not.
  var rangesRefusedInARow = 0
  /// It answers ranges with the whole file.
  var givesWholeBodiesOnly = false

  /// Times each chunk came wrong from here alone.
  var wrong: [ChunkIndex: Int] = [:]
  var missing: Set<ChunkIndex> = []
  /// Of a store: the form in which a chunk was found not to be there.
  var absentForm: [ChunkIndex: StoreLayout.Form] = [:]
  /// Of a store: the form that the last answer had.
  var usualForm = StoreLayout.Form.plain
  var verifiedChunks = 0
  var receivedBytes: UInt64 = 0
  /// Bytes a second of one connection while an answer comes. Its clock is that of the connections, added up: what
  /// sixteen say in a quarter of a second weighs as much as what one says in four.
  private var rate = RateEstimate(timeConstant: 4)
  private var deliveredBytes: UInt64 = 0
  private var connectionSeconds = 0.0
  /// Seconds from a request to its answer on a warm connection: the shortest, as a new connection takes longer. Forgotten
  /// slowly, as paths change.
  private(set) var roundTrip: Double?

  init(id: SourceID, url: HTTPURL, form: SourceForm, givesWholeBodiesOnly: Bool) {
    self.id = id
    self.form = form
    self.url = url
    self.givesWholeBodiesOnly = givesWholeBodiesOnly
  }

  var isActive: Bool {
    if case .active = standing { true } else { false }
  }

  var isQuarantined: Bool {
    if case .quarantined = standing { true } else { false }
  }

  /// The URL for the next request.
  var target: HTTPURL { resolvedURL ?? url }

  /// In which form to ask for a chunk.
  func spanForm(for chunk: ChunkIndex) -> SpanForm {
    switch form {
    case .file: .file
    case .pack: .pack
    case .store:
      switch absentForm[chunk] {
      case nil: .object(usualForm)
      case .plain: .object(.compressed)
      case .compressed: .object(.plain)
      }
    }
  }

  /// Whether the source should be asked for this chunk as long as another one could be.
  func hasTrouble(with chunk: ChunkIndex) -> Bool {
    wrong[chunk] != nil || missing.contains(chunk)
  }

  /// Whether what it got wrong is enough to stop asking it: the same chunk twice, or more than three chunks that are
  /// more than 1 % of all it gave.
  var deservesQuarantine: Bool {
    if wrong.values.contains(where: { $0 >= 2 }) { return true }
    let wrongChunks = wrong.count
    return wrongChunks > 3 && wrongChunks * 100 > verifiedChunks + wrongChunks
  }

  mutating func recordAnswer(after seconds: Double) {
    roundTrip = roundTrip.map { min(seconds, $0 * 1.02) } ?? seconds
  }

  /// So many bytes came in so many seconds, counted over all connections on which an answer was coming.
  mutating func recordRate(bytes: UInt64, over seconds: Double) {
    if connectionSeconds == 0 { rate.record(total: 0, at: 0) }
    deliveredBytes += bytes
    connectionSeconds += seconds
    rate.record(total: deliveredBytes, at: connectionSeconds)
  }

  var connectionRate: Double? { rate.bytesPerSecond }
}
