internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// Decides which source is asked for which bytes, when, and over how many connections.
///
/// Pure: it has no clock, no network and no disk. Events go in with the time, actions come out, and `nextStart` is
/// asked for a request whenever a buffer is free. One engine owns it and calls it from one thread.
///
/// Invariants, cited by the tests:
/// 1. A chunk is in at most one of `wanted`, `limbo` (all bytes arrived, verdict outstanding) and `here`.
/// 2. A chunk in none of them is unsurveyed or belongs to the undelivered rest of at least one open request.
/// 3. When a request ends, every chunk of its undelivered rest that no other open request covers is wanted again.
/// 4. At most one request of a source is finding out where its URL leads.
/// 5. `here` grows only by a verified chunk or by the survey of the disk.
struct Scheduler: Sendable {
  /// What the caller decides once.
  struct Settings: Sendable {
    var connections: Int?
    var hostCeiling = 16
    var totalCeiling = 32
    /// How long the first source took to answer something else, over a new connection.
    var answerTime: Duration?
    var retry = RetryPolicy()
    var stallTimeout: Duration = .seconds(30)
    var smallestSpan: UInt64 = 1 << 20
    var largestSpan: UInt64 = 20 << 20
    /// How many chunks past the first one that has not been put out yet may be in memory; nil when chunks have a
    /// place on disk to go to.
    var orderedWindow: Int?
    /// Whether slow requests and sources are helped: a connection for which nothing is left takes over from one that would end
    /// later, and a source that only costs is left alone.
    var helpsLateSpans = true

    init() {}
  }

  /// A request that is under way.
  struct OpenRequest: Sendable {
    let span: SpanRequest
    var end: ChunkIndex
    var next: ChunkIndex
    let startedAt: Instant
    /// Bytes a second that connections of its source did when it was sent.
    let expectedRate: Double?
    var generation: Int
    var isResolver: Bool
    var answeredAt: Instant?
    /// Bytes that had come at the last tick, and their rate in the last seconds.
    var received: UInt64 = 0
    var rate = RateEstimate(timeConstant: 2)
    /// The most requests its host was seen to serve at once since this one was sent.
    var servedBeside = 0
    /// It brings the whole file from its first byte; what is wanted stays wanted until it has passed.
    var isStream = false
    /// A rival runs for the same chunks.
    var isRaced = false

    var hasHead: Bool { answeredAt != nil }
    var rest: Range<ChunkIndex> { next < end ? next..<end : end..<end }
  }

  /// Part of a chunk that arrived before its request broke.
  struct Fragment: Sendable {
    let bytes: Int
    let source: SourceID
  }

  let geometry: ChunkGeometry
  let settings: Settings
  var sources: [Source] = []
  var hosts: [HTTPURL.Origin: Host] = [:]
  var concurrency: ConcurrencyLimit
  /// More would have been asked for at the last opportunity if more connections had been allowed.
  var isLimiting = false
  var requests: [RequestID: OpenRequest] = [:]
  var fragments: [ChunkIndex: Fragment] = [:]
  var wanted: ChunkSet
  var limbo: ChunkSet
  var here: ChunkSet
  /// Chunks whose frames in the pack are known, and those of them that it makes smaller.
  var packed: ChunkSet
  var savedByPack: ChunkSet
  /// Chunks of which the survey has said that they are wanted. What is wanted beside these was asked for early, and of it is
  /// not known yet what a pack or a store has to be asked for.
  var surveyed: ChunkSet
  /// Whether packs, and plain files, may be asked: when a request was last looked for.
  var serving = (packs: false, files: true)
  var isSurveyed = false
  var isOver = false
  var outputReached = ChunkIndex(0)
  var lastGain: Instant
  var lastTick: Instant
  /// Chunks that had to be fetched, and those that were fetched again because they lay between two of them.
  var plannedChunks = 0
  var bridgedChunks = 0
  /// Wrong chunks since the last right one.
  var wrongWithoutRight = 0
  var wrongInARow: [ChunkIndex: Int] = [:]
  var manifestWasRechecked = false
  var random: SplitMix
  private var nextRequest = 0

  init(geometry: ChunkGeometry, settings: Settings, now: Instant, seed: UInt64) {
    self.geometry = geometry
    self.settings = settings
    concurrency = ConcurrencyLimit(
      fixed: settings.connections, answerTime: settings.answerTime,
      ceiling: min(settings.hostCeiling, settings.totalCeiling))
    lastTick = now
    wanted = ChunkSet(capacity: geometry.chunkCount)
    limbo = ChunkSet(capacity: geometry.chunkCount)
    here = ChunkSet(capacity: geometry.chunkCount)
    packed = ChunkSet(capacity: geometry.chunkCount)
    savedByPack = ChunkSet(capacity: geometry.chunkCount)
    surveyed = ChunkSet(capacity: geometry.chunkCount)
    lastGain = now
    random = SplitMix(state: seed)
  }

  /// Adds a source at the end of the order of preference; returns the name it goes by.
  @discardableResult
  mutating func addSource(
    _ url: HTTPURL, form: SourceForm = .file, givesWholeBodiesOnly: Bool = false
  ) -> SourceID {
    let id = SourceID(rawValue: sources.count)
    sources.append(Source(id: id, url: url, form: form, givesWholeBodiesOnly: givesWholeBodiesOnly))
    return id
  }

  /// Adds places that a server says have the same bytes (RFC 6249). Only the first source, which the user named, is heard.
  mutating func addDuplicates(_ places: [HTTPURL], namedBy source: SourceID) {
    guard source == sources.first?.id else { return }
    for place in places where sources.count < ManifestLimits.sources && !sources.contains(where: { $0.url == place }) {
      addSource(place)
    }
  }

  var openRequests: Int { requests.count }

  /// Connections that may be open at this moment.
  var connectionLimit: Int { min(concurrency.current, hostsAllow) }

  mutating func newRequestID() -> RequestID {
    nextRequest += 1
    return RequestID(rawValue: nextRequest)
  }

  /// Ends the transfer when every chunk is here.
  mutating func checkFinished() -> [SchedulerAction] {
    guard !isOver, here.count == geometry.chunkCount else { return [] }
    isOver = true
    return requests.keys.sorted().map { .cancel($0) } + [.finish]
  }

  mutating func end(with error: TransferError) -> [SchedulerAction] {
    guard !isOver else { return [] }
    isOver = true
    return requests.keys.sorted().map { .cancel($0) } + [.fail(error)]
  }
}

/// A small seeded generator (SplitMix64), so that jitter is reproducible in tests.
struct SplitMix: Sendable {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var z = state
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }

  /// Uniform in 0..<1.
  mutating func unit() -> Double {
    Double(next() >> 11) / Double(1 << 53)
  }
}
