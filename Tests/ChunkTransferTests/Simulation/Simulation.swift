import ChunkCore
import ChunkHTTP
import ChunkSystem

@testable import ChunkTransfer

/// Drives a real `Scheduler` through a download over a simulated network, with a clock that is only a number.
///
/// It does what the engine does, with the same calls in the same order: ends, answers and sealed chunks as they happen,
/// a tick every 100 ms, requests whenever one may start. Deterministic for a seed.
struct Simulation {
  struct Outcome {
    var seconds = 0.0
    var isFinished = false
    /// What was asked for, in order.
    var spans: [Range<ChunkIndex>] = []
    /// Bytes that arrived and were of no use.
    var wasted: UInt64 = 0
    /// Requests that were sent before the time a server had asked to wait for was over.
    var early = 0
    var refusals = 0
    /// Requests under way at each tick.
    var open: [Int] = []
    var receivedFrom: [UInt64] = []

    var requests: Int { spans.count }
  }

  private final class Request {
    let span: SpanRequest
    let endByte: Double
    /// The chunk that is coming, where it ends, and in front of which the answer is cut short.
    var chunk: ChunkIndex
    var chunkEnd = 0.0
    var end: ChunkIndex
    /// Offset in the file of the next byte, and how many have come.
    var position: Double
    var received = 0.0
    var hasHead = false
    var lastActivity: Double

    init(_ span: SpanRequest, at time: Double) {
      self.span = span
      endByte = Double(span.endByte)
      chunk = span.chunks.lowerBound
      end = span.chunks.upperBound
      position = Double(span.firstByte)
      lastActivity = time
    }
  }

  private let servers: [SimulatedServer]
  private let geometry: ChunkGeometry
  private let step: Double
  private let origin = Instant.now
  private var network: SimulatedNetwork
  private var scheduler: Scheduler
  private var running: [RequestID: Request] = [:]
  private var time = 0.0
  private var endedBytes = 0.0
  private var closedUntil: [Double]
  private var outcome = Outcome()
  private var isOver = false
  /// Something happened because of which a request may start.
  private var hasNews = true

  static let stallTimeout = 30.0

  /// A download of `length` bytes of which the chunks in `present` are on disk. `connections` is what `-x` says; nil lets
  /// the scheduler decide.
  init(
    _ servers: [SimulatedServer], length: UInt64, connections: Int? = nil, seed: UInt64 = 1,
    present: [ChunkIndex] = [], configure: (inout Scheduler.Settings) -> Void = { _ in }
  ) throws {
    self.servers = servers
    geometry = try ChunkGeometry(fileLength: length, chunkSize: .standard)
    let shortest = servers.map(\.roundTrip).min() ?? 0.1
    step = min(0.05, max(0.01, shortest / 3))
    network = SimulatedNetwork(servers: servers, seed: seed)
    closedUntil = servers.map { _ in 0 }
    outcome.receivedFrom = servers.map { _ in 0 }
    var settings = Scheduler.Settings()
    settings.connections = connections
    settings.answerTime = servers.first.map { .nanoseconds(Int64(2e9 * $0.roundTrip)) }
    configure(&settings)
    scheduler = Scheduler(geometry: geometry, settings: settings, now: origin, seed: seed)
    for index in servers.indices { scheduler.addSource(try HTTPURL("http://server\(index).example/f")) }
    perform(scheduler.found(present))
    scheduler.want(geometry.chunks)
    perform(scheduler.surveyEnded())
  }

  private var now: Instant { origin.advanced(by: .nanoseconds(Int64(time * 1e9))) }

  /// Runs to the end, or to `limit` seconds.
  mutating func run(limit: Double = 3600) -> Outcome {
    var nextTick = 0.1
    while !isOver, time < limit {
      if hasNews { startRequests() }
      hasNews = false
      time += step
      answer()
      var arrived: [(RequestID, Double)] = []
      network.step(step, at: time) { arrived.append(($0, $1)) }
      for (id, bytes) in arrived { deliver(bytes, of: id) }
      if time >= nextTick {
        nextTick += 0.1
        tick()
      }
    }
    outcome.seconds = outcome.isFinished ? time : .infinity
    return outcome
  }

  // MARK: What the engine does

  private mutating func startRequests() {
    while !isOver, let span = scheduler.nextStart(now: now) {
      if let victim = span.shortens { running[victim]?.end = span.chunks.lowerBound }
      let server = span.source.rawValue
      outcome.spans.append(span.chunks)
      // Times of the scheduler are whole nanoseconds.
      if time + 1e-6 < closedUntil[server] { outcome.early += 1 }
      let request = Request(span, at: time)
      request.chunkEnd = Double(geometry.range(of: request.chunk).end)
      running[span.id] = request
      network.send(span.id, to: server, at: time)
    }
  }

  private mutating func perform(_ actions: [SchedulerAction]) {
    for action in actions {
      switch action {
      case .cancel(let id): end(id, .cancelled, keepsConnection: false)
      case .finish:
        isOver = true
        outcome.isFinished = true
      case .fail: isOver = true
      default: break
      }
    }
  }

  private mutating func tick() {
    hasNews = true
    outcome.open.append(running.count)
    let ordered = running.sorted { $0.key < $1.key }
    for (id, request) in ordered where time - request.lastActivity >= Self.stallTimeout {
      end(id, .failed(.stalled(request.span.url, after: .seconds(30))), keepsConnection: false)
    }
    var total = endedBytes
    for (id, request) in ordered where running[id] != nil {
      total += request.received
      scheduler.received(UInt64(request.received), by: id, now: now)
    }
    perform(scheduler.tick(now: now, total: UInt64(total)))
  }

  private mutating func end(_ id: RequestID, _ end: RequestEnd, keepsConnection: Bool) {
    guard let request = running.removeValue(forKey: id) else { return }
    hasNews = true
    if keepsConnection { network.release(id, at: time) } else { network.close(id) }
    endedBytes += request.received
    outcome.receivedFrom[request.span.source.rawValue] += UInt64(request.received)
    var fragment: (chunk: ChunkIndex, bytes: Int)?
    if request.chunk < request.end, !scheduler.here.contains(request.chunk) {
      let offset = geometry.range(of: request.chunk).offset
      let bytes = Int(request.position) - Int(offset)
      if bytes > 0 { fragment = (request.chunk, bytes) }
    }
    perform(
      scheduler.ended(id, end, received: UInt64(request.received), fragment: fragment, now: now))
  }

  // MARK: What servers do

  /// Heads that have arrived by now, and connections that are dead.
  private mutating func answer() {
    for connection in network.connections where connection.answersAt <= time {
      guard let id = connection.request, let request = running[id] else { continue }
      let server = servers[connection.server]
      if time >= server.diesAt {
        let reset = HTTPFailure(code: .reset, message: "reset", isRetryable: true)
        end(id, .failed(reset), keepsConnection: false)
      } else if !request.hasHead, time < server.silentFrom {
        let others = running.values.count { $0.hasHead && $0.span.source.rawValue == connection.server }
        if others >= server.allowed {
          outcome.refusals += 1
          closedUntil[connection.server] = time + server.retryAfter
          end(id, .failed(server.refusal), keepsConnection: true)
        } else {
          request.hasHead = true
          request.lastActivity = time
          scheduler.answered(id, now: now)
        }
      }
    }
  }

  private mutating func deliver(_ bytes: Double, of id: RequestID) {
    guard let request = running[id], request.hasHead else { return }
    let taken = min(bytes, request.endByte - request.position)
    request.position += taken
    request.received += taken
    request.lastActivity = time
    var actions: [SchedulerAction] = []
    while request.chunk < request.end, request.position >= request.chunkEnd - 0.5 {
      actions += finish(request.chunk, of: request)
      request.chunk = request.chunk.advanced(by: 1)
      if request.chunk < request.end { request.chunkEnd = Double(geometry.range(of: request.chunk).end) }
    }
    // Before the verdicts, as in the engine, where the end of an answer comes from the thread that sealed its chunks.
    if request.chunk >= request.end {
      end(id, .complete, keepsConnection: request.end == request.span.chunks.upperBound)
    }
    perform(actions)
  }

  private mutating func finish(_ chunk: ChunkIndex, of request: Request) -> [SchedulerAction] {
    if scheduler.here.contains(chunk) {
      outcome.wasted += UInt64(geometry.length(of: chunk))
      return []
    }
    scheduler.sealed(chunk, by: request.span.id)
    return scheduler.verified(chunk, from: request.span.source, now: now)
  }
}
