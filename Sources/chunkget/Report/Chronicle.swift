internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// Notes what happens during a download, in bounded memory, for the page of `--report`. Any thread may tell it something.
final class Chronicle: Sendable {
  /// Something that went wrong.
  struct Incident: Sendable {
    let seconds: Double
    let source: Int?
    /// Text from outside may be in it.
    let text: String
  }

  /// What is known so far.
  struct State: Sendable {
    var timeline = Timeline()
    /// The first ones.
    var incidents: [Incident] = []
    var incidentCount = 0
    var failedRequests: [Int: Int] = [:]
    var quarantined: Set<Int> = []
    var sources: [SourceProgress] = []
    var notices: [Incident] = []
  }

  /// Incidents that are told one by one.
  static let mostIncidents = 200

  private let began = Instant.now
  private let state = Lock(State())

  var now: State { state.withLock { $0 } }
  var elapsed: Double { began.duration(to: .now) / .seconds(1) }

  func note(_ trace: TransferTrace) {
    let seconds = elapsed
    state.withLock { state in
      switch trace {
      case .began(let chunks):
        state.timeline.begin(chunks: chunks)
      case .found(let chunks, let bytes):
        state.timeline.add(chunks: chunks, bytes: bytes, from: .here, at: seconds)
      case .verified(let chunk, let bytes, let source):
        state.timeline.add(chunks: [chunk], bytes: bytes, from: source.map { .source($0) } ?? .mixed, at: seconds)
      case .wrong(let chunk, let sources):
        let source = sources.count == 1 ? sources[0] : nil
        state.add(Incident(seconds: seconds, source: source, text: "chunk \(chunk) was wrong"))
      case .failed(let source, let reason):
        state.failedRequests[source, default: 0] += 1
        state.add(Incident(seconds: seconds, source: source, text: reason))
      }
    }
  }

  func note(_ progress: TransferProgress) {
    let seconds = elapsed
    state.withLock { state in
      guard !progress.sources.isEmpty else { return }
      state.sources = progress.sources
      for (place, source) in progress.sources.enumerated() where source.standing == .quarantined {
        guard state.quarantined.insert(place).inserted else { continue }
        state.add(Incident(seconds: seconds, source: place, text: "set aside, as it gave wrong bytes too often"))
      }
    }
  }

  func note(notice: String) {
    let seconds = elapsed
    state.withLock { state in
      if state.notices.count < Self.mostIncidents {
        state.notices.append(Incident(seconds: seconds, source: nil, text: notice))
      }
    }
  }
}

extension Chronicle.State {
  fileprivate mutating func add(_ incident: Chronicle.Incident) {
    incidentCount += 1
    if incidents.count < Chronicle.mostIncidents { incidents.append(incident) }
  }
}
