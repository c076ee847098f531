internal import ChunkSystem

/// The engine's inbox. Whoever posts never waits: the loop threads must not, and what can be in it is bounded by the
/// chunks and requests that are under way.
final class EventQueue: Sendable {
  private let events = Monitor<[EngineEvent]>([])

  func post(_ event: EngineEvent) {
    events.change { $0.append(event) }
  }

  /// Takes everything that is there; waits until something is, at most until `deadline`.
  func takeAll(until deadline: Instant) -> [EngineEvent] {
    let taken: [EngineEvent]? = events.wait(until: deadline) { events in
      guard !events.isEmpty else { return nil }
      defer { events.removeAll(keepingCapacity: true) }
      return events
    }
    return taken ?? []
  }
}
