import Glibc

@testable import ChunkTransfer

/// All connections of a simulation, and how they share their ways.
struct SimulatedNetwork {
  let servers: [SimulatedServer]
  private(set) var connections: [SimulatedConnection] = []
  private(set) var connectionsMade: [Int]
  private var random: SplitMix

  init(servers: [SimulatedServer], seed: UInt64) {
    self.servers = servers
    connectionsMade = servers.map { _ in 0 }
    random = SplitMix(state: seed)
  }

  /// Sends a request over an idle connection, or a new one.
  mutating func send(_ request: RequestID, to server: Int, at time: Double) {
    let path = servers[server]
    // The widest window first: libcurl takes any, and most are alike.
    if let idle = connections.firstIndex(where: { $0.server == server && $0.request == nil }) {
      connections[idle].ask(request, at: time, roundTrip: path.roundTrip)
      return
    }
    let crawls = path.stragglers.contains(connectionsMade[server])
    var connection = SimulatedConnection(
      server: server, rateCap: crawls ? path.stragglerRate : path.connectionRate)
    connectionsMade[server] += 1
    connection.request = request
    connection.answersAt = time + 2 * path.roundTrip
    connections.append(connection)
  }

  /// The answer is complete; the connection waits for another request.
  mutating func release(_ request: RequestID, at time: Double) {
    guard let index = connections.firstIndex(where: { $0.request == request }) else { return }
    connections[index].rest(at: time)
  }

  /// An answer that is not read to its end costs its connection.
  mutating func close(_ request: RequestID) {
    connections.removeAll { $0.request == request }
  }

  /// Time passes; calls `arrive` with what came of each answer.
  mutating func step(_ step: Double, at time: Double, arrive: (RequestID, Double) -> Void) {
    for (index, path) in servers.enumerated() where time < path.silentFrom {
      let load = load(of: index, at: time)
      guard load.count > 0 else { continue }
      // What does not fit into the way waits in its queue, and makes the round trip longer.
      let roundTrip = max(path.roundTrip, load.underWay / path.rate)
      let slowdown = min(1, path.totalRate(load.count) / (load.underWay / roundTrip))
      let overflows = load.underWay > path.rate * path.roundTrip * (1 + path.queue)
      for place in connections.indices {
        let connection = connections[place]
        guard connection.server == index, connection.isSending(at: time), let request = connection.request else {
          continue
        }
        let bytes = connection.offered(path) / roundTrip * slowdown * step
        arrive(request, bytes)
        if slowdown == 1 { connections[place].delivered(bytes, step: step, roundTrip: roundTrip, path: path) }
        if overflows, random.unit() < 0.5 { connections[place].lose(at: time, roundTrip: roundTrip, keeping: 0.7) }
        if path.loss > 0, random.unit() < 1 - pow(1 - path.loss, bytes / SimulatedConnection.segment) {
          connections[place].lose(at: time, roundTrip: roundTrip, keeping: 0.5)
        }
      }
    }
  }

  private func load(of server: Int, at time: Double) -> (count: Int, underWay: Double) {
    var count = 0
    var underWay = 0.0
    for connection in connections where connection.server == server && connection.isSending(at: time) {
      count += 1
      underWay += connection.offered(servers[server])
    }
    return (count, underWay)
  }
}
