internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// The first payload requests, sent while the manifest still comes.
///
/// A manifest begins with how long the file and its chunks are, which is all that it takes to ask for the first spans. Over a long
/// path the rest of it takes some round trips, and so do new connections until they have something to say: here they do it at
/// once. Nothing is believed for that: no byte of a body is taken before the manifest has been verified, and if the file is another
/// one by then, or the download fails, the requests are cancelled.
///
/// Only for a file of which nothing is here, as otherwise it is not known what is missing. Thread-safe.
final class EarlyStart: Sendable {
  /// A request that is under way.
  struct Request: Sendable {
    let chunks: Range<ChunkIndex>
    let sentAt: Instant
    let fetch: FetchID
    let receiver: EarlyReceiver
  }

  private struct State {
    var geometry: ChunkGeometry?
    var requests: [Request] = []
    var isOver = false
  }

  private let transfer: Transfer
  private let network: Network
  private let state = Lock(State())

  /// With less than this still to come, the manifest is there before a new connection could be of use.
  static let leastRest = 16 << 10
  /// It is enough to know that so much is wanted: where more is, no span is longer.
  private static let horizon = 1 << 30

  /// nil where something may be here already, or bytes go elsewhere than to a file.
  init?(_ transfer: Transfer, _ network: Network) {
    let options = transfer.options
    guard options.startsEarly, case .file(let output) = transfer.output, output.hasNothing, options.seeds.isEmpty,
      options.store == nil, options.localPlaces.isEmpty
    else { return nil }
    self.transfer = transfer
    self.network = network
  }

  /// The first bytes of the manifest have come; its request was answered after `answerTime`. Sends the requests, once; does nothing when these bytes are none that a manifest
  /// begins with. For loop threads: does not wait.
  func manifestBegins(_ bytes: Span<UInt8>, after answerTime: Duration) {
    guard let geometry = UnverifiedManifest.announcedGeometry(bytes), geometry.chunkCount > 0 else { return }
    state.withLock { state in
      guard state.geometry == nil, !state.isOver else { return }
      state.geometry = geometry
      state.requests = send(for: geometry, after: answerTime)
    }
  }

  private func send(for geometry: ChunkGeometry, after answerTime: Duration) -> [Request] {
    var payload = PayloadFetch(
      geometry: geometry, network: network, transfer: transfer, meter: ProgressMeter(total: nil) { _ in },
      here: SharedChunkSet(capacity: 0))
    payload.answerTime = answerTime
    var scheduler = payload.scheduler(isOrdered: false)
    let count = min(geometry.chunkCount, Self.horizon / geometry.chunkSize.bytes)
    scheduler.want(ChunkIndex(0)..<ChunkIndex(count))
    var requests: [Request] = []
    while let span = scheduler.nextStart(now: Instant.now), span.source == scheduler.sources.first?.id {
      let receiver = EarlyReceiver()
      let request = payload.request(span, SpanLayout(span, geometry: geometry))
      requests.append(
        Request(
          chunks: span.chunks, sentAt: Instant.now, fetch: network.fetcher.start(request, receiver: receiver),
          receiver: receiver))
    }
    return requests
  }

  /// Hands over the requests, if the file is the one they were sent for. There will be no others.
  func take(for geometry: ChunkGeometry) -> [Request] {
    let requests = state.withLock { state in
      guard state.geometry == geometry else { return [Request]() }
      defer { state.requests = [] }
      return state.requests
    }
    cancel()
    return requests
  }

  /// Ends what has not been handed over.
  func cancel() {
    let requests = state.withLock { state in
      state.isOver = true
      defer { state.requests = [] }
      return state.requests
    }
    for request in requests { network.fetcher.cancel(request.fetch) }
  }
}
