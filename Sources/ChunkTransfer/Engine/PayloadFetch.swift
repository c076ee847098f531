internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// The threads and queues of one transfer, put together, run, and taken apart again.
///
///     survey ─┐                        ┌─ loop threads ─ SpanReceiver ─┐
///             ├─ EventQueue ─ Engine ──┤                               ├─ VerifyStage ─ sink
///     output ─┘                        └──────── events ───────────────┘
struct PayloadFetch {
  let geometry: ChunkGeometry
  let network: Network
  var options: TransferOptions
  var sources: [SourcePlace]
  /// Without a manifest: the version all bytes must come from.
  var version: Validator?
  /// The sources give nothing but whole bodies.
  var givesWholeBodiesOnly = false
  let cancellation: Cancellation
  let meter: ProgressMeter
  let pool: BufferPool
  let here: SharedChunkSet
  /// What the survey has found to be missing so far; nil when all is wanted from the beginning.
  var asked: SharedChunkSet?
  /// How long the first source took to answer the first request; nil where that is not known.
  var answerTime: Duration?
  /// Requests that are under way.
  var early: [EarlyStart.Request] = []
  let inbox = EventQueue()

  init(
    geometry: ChunkGeometry, network: Network, transfer: Transfer, meter: ProgressMeter, here: SharedChunkSet
  ) {
    self.geometry = geometry
    self.network = network
    options = transfer.options
    sources = ([transfer.url] + transfer.mirrors).map { SourcePlace(url: $0) }
    cancellation = transfer.cancellation
    self.meter = meter
    self.here = here
    pool = BufferPool(
      budget: transfer.options.memoryBudget, chunkSize: geometry.chunkSize.bytes, minimum: Self.fewestBuffers)
  }

  /// One each for filling, hashing and writing, and one to spare for a rival.
  private static let fewestBuffers = 4

  var post: @Sendable (EngineEvent) -> Void {
    let inbox = inbox
    return { inbox.post($0) }
  }

  /// Fetches until every chunk is here.
  ///
  /// - Parameters:
  ///   - judge: says of arrived chunks whether they are right, and places them.
  ///   - pages: nil without a manifest.
  ///   - ordered: with the stream it writes to, when chunks must be put out in order.
  ///   - survey: starts what says which chunks are wanted, and returns its threads.
  ///   - stopSurvey: lets those threads end.
  ///   - recheck: what is done when nothing but wrong chunks came. nil without a manifest, or with one that cannot be
  ///     another by now.
  /// - Returns: what was done.
  /// - Throws: why not every chunk is here.
  func run(
    judge: any ChunkJudge, pages: LeafPages?, ordered: (output: OrderedOutput, stream: OpenFile)? = nil,
    survey: () throws(Errno) -> [DedicatedThread], stopSurvey: () -> Void, recheck: ManifestRecheck? = nil
  ) throws(TransferError) -> EngineState {
    let post = post
    cancellation.whenCancelled { post(.cancelled) }
    let verify = try start {
      () throws(Errno) in
      try VerifyStage(
        threads: DedicatedThread.processorCount, judge: judge, here: here, capacity: pool.capacity, post: post)
    }
    if let ordered {
      try start { () throws(Errno) in try ordered.output.start(into: ordered.stream, post: post) }
    }
    let threads = try start(survey)
    let engine = Engine(
      scheduler: scheduler(isOrdered: ordered != nil), parts: parts(pages: pages, recheck: recheck),
      stallTimeout: options.stallTimeout)
    let (result, state) = engine.run(verify: verify, early: early)
    stopSurvey()
    for thread in threads { thread.join() }
    ordered?.output.close()
    try result.get()
    // A transfer that failed or is cancelled does not wait for a reader that may never read.
    while let ordered, try !ordered.output.waitForEnd(until: Instant.now.advanced(by: .milliseconds(100))) {
      if cancellation.isCancelled { throw TransferError(.cancelled, "cancelled.", isRetryable: true) }
    }
    return state
  }

  private func start<Started>(_ body: () throws(Errno) -> Started) throws(TransferError) -> Started {
    do throws(Errno) { return try body() } catch { throw TransferError(noThread: error) }
  }

  func scheduler(isOrdered: Bool) -> Scheduler {
    var settings = Scheduler.Settings()
    settings.connections = options.connections
    settings.hostCeiling = options.hostCeiling
    settings.totalCeiling = options.totalCeiling
    settings.answerTime = answerTime
    settings.helpsLateSpans = options.helpsLateSpans
    settings.retry = network.retry
    settings.orderedWindow = isOrdered ? pool.capacity - 2 : nil
    var scheduler = Scheduler(
      geometry: geometry, settings: settings, now: Instant.now, seed: UInt64.random(in: .min ... .max))
    for source in sources {
      scheduler.addSource(source.url, form: source.form, givesWholeBodiesOnly: givesWholeBodiesOnly)
    }
    return scheduler
  }

  /// Never the narrower of the two: a frame is let go before the buffer of its chunk is. Takes memory only when frames come.
  private var frames: BufferPool {
    BufferPool(
      budget: 0, chunkSize: PackFrame.longest(of: geometry.chunkSize.bytes), minimum: 2 * pool.capacity)
  }

  /// What is sent for a span.
  func request(_ span: SpanRequest, _ layout: SpanLayout) -> RangeRequest {
    var connection = network.connection
    if !connection.isHTTP1Only {
      // Objects are small, and one that pauses holds up none but others like it.
      if case .object = span.form { connection.version = .http2 }
      if span.usesHTTP2 { connection.version = .http2Alone }
    }
    return RangeRequest(
      url: span.url, range: layout.range(of: span), ifRange: version, credentials: network.credentials,
      options: connection, knownTotal: layout.totalLength(of: span))
  }

  private func parts(pages: LeafPages?, recheck: ManifestRecheck?) -> Engine.Parts {
    let maximumRedirects = network.connection.maximumRedirects
    let meter = meter
    let post = post
    return Engine.Parts(
      geometry: geometry, fetcher: network.fetcher, pool: pool, frames: frames, here: here, asked: asked,
      pages: pages, inbox: inbox, version: version,
      makeRequest: request, redirects: { RedirectChain(start: $0, limit: maximumRedirects) },
      recheckManifest: { recheck?.start(post: post) }, observe: { meter.tell(.fetching, $0) },
      trace: options.onTrace)
  }
}
