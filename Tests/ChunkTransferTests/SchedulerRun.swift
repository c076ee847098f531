import ChunkCore
import ChunkHTTP
import ChunkSystem

@testable import ChunkTransfer

/// A scheduler with what the tests need around it.
final class SchedulerRun {
  var scheduler: Scheduler
  var now: Instant
  var outcome: SchedulerAction?
  let url: HTTPURL
  let broken = HTTPFailure(code: .reset, message: "broken", isRetryable: true)
  let forbidden = HTTPFailure(code: .status, message: "forbidden", status: 403)

  init(chunks: Int, connections: Int? = 4, mirrors: [String] = [], orderedWindow: Int? = nil) throws {
    var settings = Scheduler.Settings()
    settings.connections = connections
    settings.orderedWindow = orderedWindow
    now = Instant.now
    let geometry = try ChunkGeometry(fileLength: UInt64(chunks) * 262_144, chunkSize: .standard)
    scheduler = Scheduler(geometry: geometry, settings: settings, now: now, seed: 1)
    url = try HTTPURL("http://origin.example/f")
    scheduler.addSource(url)
    for mirror in mirrors { scheduler.addSource(try HTTPURL(mirror)) }
    scheduler.want(geometry.chunks)
    apply(scheduler.surveyEnded())
  }

  func start(hasBuffer: Bool = true) -> SpanRequest? { scheduler.nextStart(now: now, hasBuffer: hasBuffer) }

  func apply(_ actions: [SchedulerAction]) {
    for action in actions {
      switch action {
      case .finish, .fail: outcome = action
      default: break
      }
    }
  }

  func verify(_ chunk: ChunkIndex, of span: SpanRequest) {
    scheduler.sealed(chunk, by: span.id)
    apply(scheduler.verified(chunk, from: span.source, now: now))
  }

  func answer(_ span: SpanRequest) { scheduler.answered(span.id, now: now) }

  /// Starts what may be started, and lets the time pass in which answers come.
  func startAll() -> [SpanRequest] {
    var spans: [SpanRequest] = []
    while let span = start() { spans.append(span) }
    wait(.milliseconds(50))
    return spans
  }

  func fail(_ span: SpanRequest, _ failure: HTTPFailure) {
    apply(scheduler.ended(span.id, .failed(failure), received: 0, fragment: nil, now: now))
  }

  func wait(_ duration: Duration) { now = now.advanced(by: duration) }

  func deliver(_ span: SpanRequest) {
    answer(span)
    for chunk in span.chunks { verify(chunk, of: span) }
    apply(
      scheduler.ended(
        span.id, .complete, received: UInt64(span.chunks.count) * 262_144, fragment: nil, now: now))
  }
}
