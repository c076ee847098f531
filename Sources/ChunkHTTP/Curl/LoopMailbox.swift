internal import ChunkSystem
private import Synchronization

/// What a loop is asked to do.
enum LoopCommand: Sendable {
  case start(FetchID, RangeRequest, any ResponseReceiver, FetchMeter)
  case resume(FetchID)
  case cancel(FetchID)
  case stop
}

/// The only thing a loop's thread and all others share. Once closed it takes nothing more.
final class LoopMailbox: Sendable {
  private struct State {
    /// nil once closed.
    var multi: MultiHandle?
    var commands: [LoopCommand] = []
    var meters: [FetchID: FetchMeter] = [:]
  }

  private let state: Lock<State>
  private let openedConnections = Atomic<Int>(0)

  init(multi: MultiHandle) { state = Lock(State(multi: multi)) }

  /// False when the loop has ended, or is about to.
  func start(_ id: FetchID, _ request: RangeRequest, _ receiver: any ResponseReceiver) -> Bool {
    let meter = FetchMeter()
    return post(.start(id, request, receiver, meter)) { $0.meters[id] = meter }
  }

  func post(_ command: LoopCommand) { _ = post(command) { _ in } }

  private func post(_ command: LoopCommand, with change: (inout State) -> Void) -> Bool {
    let multi: MultiHandle? = state.withLock { state in
      guard let multi = state.multi else { return nil }
      change(&state)
      state.commands.append(command)
      return multi
    }
    multi?.wakeUp()
    return multi != nil
  }

  func activity(of id: FetchID) -> FetchActivity? { state.withLock { $0.meters[id] }?.activity }

  /// Fetches that have not ended.
  var load: Int { state.withLock { $0.meters.count } }

  var connectionsOpened: Int { openedConnections.load(ordering: .relaxed) }

  // MARK: The loop's side

  func drain() -> [LoopCommand] {
    state.withLock { state in
      defer { state.commands = [] }
      return state.commands
    }
  }

  /// Takes nothing more; what has come in before is returned.
  func close() -> [LoopCommand] {
    state.withLock { state in
      defer { state.commands = [] }
      state.multi = nil
      return state.commands
    }
  }

  func ended(_ id: FetchID, connectionsOpened: Int) {
    openedConnections.add(connectionsOpened, ordering: .relaxed)
    state.withLock { $0.meters[id] = nil }
  }
}
