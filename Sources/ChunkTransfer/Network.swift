internal import ChunkHTTP
internal import ChunkSystem

/// The connections of one transfer, and the rules they are used by.
struct Network {
  let fetcher: CurlFetcher
  let connection: ConnectionOptions
  /// What the user gave for the origin. The fetcher sends it nowhere else.
  let credentials: OriginCredentials?
  let retry: RetryPolicy
  private let stallTimeout: Duration
  private let cancellation: Cancellation
  /// Others use the connections as well.
  private let isShared: Bool

  /// Starts the loop threads; `shutdown` ends them.
  init(origin: HTTPURL, options: TransferOptions, cancellation: Cancellation) throws(TransferError) {
    var connection = ConnectionOptions()
    connection.caFile = options.certificateAuthorityFile
    connection.connectTimeout = options.connectTimeout
    connection.maximumRedirects = options.access.maximumRedirects
    connection.isHTTP1Only = options.access.usesHTTP1Only
    do throws(HTTPFailure) {
      try options.access.apply(to: &connection)
      credentials = try options.access.credentials(for: origin)
    } catch {
      throw TransferError(.invalidRequest, error.message)
    }
    self.connection = connection
    retry = RetryPolicy(
      attempts: options.retries, firstPause: options.firstRetryPause, patience: options.patience)
    stallTimeout = options.stallTimeout
    self.cancellation = cancellation
    if let shared = options.sharedConnections {
      (fetcher, isShared) = (shared.fetcher, true)
    } else {
      (fetcher, isShared) = (try SharedConnections(rateLimit: options.rateLimit).fetcher, false)
    }
  }

  /// For what is small and fetched whole; ends early when the transfer is cancelled.
  var smallFetch: SmallFetch { smallFetch(endedBy: cancellation) }

  /// The same for one stage of the transfer, which has an end of its own.
  func smallFetch(endedBy stage: Cancellation) -> SmallFetch {
    let cancellation = cancellation
    return SmallFetch(
      fetcher: fetcher, options: connection, credentials: credentials, retry: retry, stallTimeout: stallTimeout,
      isCancelled: { stage.isCancelled || cancellation.isCancelled })
  }

  /// Every step waits for the fetches it has begun, so that nothing runs any more over connections that stay open.
  func shutdown() {
    if !isShared { fetcher.shutdown() }
  }
}

/// Lets another thread end a transfer: polled by what blocks, pushed to what waits for events.
final class Cancellation: Sendable {
  private struct State {
    var isCancelled = false
    var onCancel: (@Sendable () -> Void)?
  }

  private let state = Lock(State())

  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Asks the transfer to end. May come before anything has started, more than once, and from any thread.
  func cancel() {
    let action = state.withLock { state in
      state.isCancelled = true
      return state.onCancel
    }
    action?()
  }

  /// Called when cancelled; at once when that has happened already.
  func whenCancelled(_ action: @escaping @Sendable () -> Void) {
    let isLate = state.withLock { state in
      state.onCancel = action
      return state.isCancelled
    }
    if isLate { action() }
  }
}
