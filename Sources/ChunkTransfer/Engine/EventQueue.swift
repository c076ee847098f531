internal import ChunkSystem

/// The engine's inbox. Whoever posts never waits: the loop threads must not, and what can be in it is bounded by the
/// chunks and requests that are under way.
///
/// An event that lets the engine do something wakes it. Of those that only have to be written down, several each chunk, the
/// first one does, and then no other for a moment: at full speed they would wake it ten thousand times a second.
final class EventQueue: Sendable {
  private struct State {
    var events: [EngineEvent] = []
    var isUrgent = false
    var wakesFor = WakesFor.nothing
  }

  private enum WakesFor {
    case nothing, urgentEvents, anyEvent
  }

  private let state = Monitor(State())

  func post(_ event: EngineEvent) {
    state.update { state in
      state.events.append(event)
      if event.isUrgent { state.isUrgent = true }
      let wakes =
        switch state.wakesFor {
        case .nothing: false
        case .urgentEvents: event.isUrgent
        case .anyEvent: true
        }
      if wakes { state.wakesFor = .nothing }
      return ((), wakes ? .one : .nobody)
    }
  }

  /// Takes everything that is there. Waits until something is, at most until `deadline`; and, when that is nothing urgent,
  /// until `rested`.
  func takeAll(until deadline: Instant, rested: Instant) -> [EngineEvent] {
    wait(until: deadline, .anyEvent) { !$0.events.isEmpty }
    wait(until: min(rested, deadline), .urgentEvents) { $0.isUrgent }
    return state.update { state in
      state.wakesFor = .nothing
      state.isUrgent = false
      let events = state.events
      state.events = []
      state.events.reserveCapacity(events.count)
      return (events, .nobody)
    }
  }

  private func wait(until deadline: Instant, _ wakesFor: WakesFor, for isThere: (borrowing State) -> Bool) {
    let _: Void? = state.waitToUpdate(until: deadline) { state in
      if isThere(state) { return ((), .nobody) }
      state.wakesFor = wakesFor
      return nil
    }
  }
}

extension EngineEvent {
  /// Whether the engine may have to act on it at once.
  fileprivate var isUrgent: Bool {
    switch self {
    case .found, .answered, .sealed, .verified, .surplus, .outputAdvanced: false
    default: true
    }
  }
}
