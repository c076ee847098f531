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
    var fetches: [FetchID: Fetch] = [:]
    var connections: [HTTPURL.Origin: Connections] = [:]
  }

  private struct Fetch {
    let meter: FetchMeter
    let origin: HTTPURL.Origin
  }

  /// What is guessed of the connections to an origin: each fetch has one of its own, and leaves it open when it is complete.
  private struct Connections {
    var used = 0
    var open = 0

    mutating func begin() {
      used += 1
      open = max(open, used)
    }

    mutating func end(isKept: Bool) {
      used -= 1
      if !isKept { open -= 1 }
    }
  }

  /// What a loop has to do, and what it has left over.
  struct Load {
    /// Those that have not ended.
    let fetches: Int
    /// Connections to the origin in question that were used and now are not. The server may have closed them since.
    let idleConnections: Int
  }

  private let state: Lock<State>
  private let openedConnections = Atomic<Int>(0)

  init(multi: MultiHandle) { state = Lock(State(multi: multi)) }

  /// False when the loop has ended, or is about to.
  func start(_ id: FetchID, _ request: RangeRequest, _ receiver: any ResponseReceiver) -> Bool {
    let meter = FetchMeter()
    let origin = request.url.origin
    return post(.start(id, request, receiver, meter)) { state in
      state.fetches[id] = Fetch(meter: meter, origin: origin)
      state.connections[origin, default: Connections()].begin()
    }
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

  func activity(of id: FetchID) -> FetchActivity? { state.withLock { $0.fetches[id] }?.meter.activity }

  func load(for origin: HTTPURL.Origin) -> Load {
    state.withLock { state in
      let connections = state.connections[origin] ?? Connections()
      return Load(fetches: state.fetches.count, idleConnections: connections.open - connections.used)
    }
  }

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

  func ended(_ id: FetchID, connectionsOpened: Int, isConnectionKept: Bool) {
    openedConnections.add(connectionsOpened, ordering: .relaxed)
    state.withLock { state in
      guard let fetch = state.fetches.removeValue(forKey: id) else { return }
      state.connections[fetch.origin]?.end(isKept: isConnectionKept)
    }
  }
}
