import ChunkCore
import Testing

/// A download to simulate.
struct Scenario: CustomTestStringConvertible, Sendable {
  let name: String
  let length: UInt64
  let servers: @Sendable () -> [SimulatedServer]

  var testDescription: String { name }

  init(_ name: String, mebibytes: UInt64, _ servers: @autoclosure @escaping @Sendable () -> [SimulatedServer]) {
    self.name = name
    length = mebibytes << 20
    self.servers = servers
  }

  func run(connections: Int? = nil, seed: UInt64 = 1, limit: Double = 3600) throws -> Simulation.Outcome {
    var simulation = try Simulation(servers(), length: length, connections: connections, seed: seed)
    return simulation.run(limit: limit)
  }

  /// The fixed number of connections that is fastest, found by trying all.
  func bestFixed() throws -> Int {
    var best = (connections: 0, seconds: Double.infinity)
    for connections in (1...16).reversed() {
      // Nobody waits for what is slower already.
      let seconds = try run(connections: connections, limit: min(best.seconds, 3600)).seconds
      if seconds <= best.seconds { best = (connections, seconds) }
    }
    return best.connections
  }

  /// Over three runs, as which packets get lost is chance.
  func meanSeconds(connections: Int? = nil) throws -> Double {
    try (1...3).reduce(0) { try $0 + run(connections: connections, seed: $1).seconds / 3 }
  }

  static let all = [
    Scenario("1 Gbit/s, 100 ms", mebibytes: 512, [.init(megabits: 1000, roundTrip: 0.1)]),
    Scenario(
      "1 Gbit/s, 100 ms, 0.1 % loss", mebibytes: 128,
      [SimulatedServer(megabits: 1000, roundTrip: 0.1).with { $0.loss = 0.001 }]),
    Scenario("200 Mbit/s, 40 ms", mebibytes: 256, [.init(megabits: 200, roundTrip: 0.04)]),
    Scenario(
      "20 Mbit/s, 300 ms, 2 % loss", mebibytes: 24,
      [SimulatedServer(megabits: 20, roundTrip: 0.3).with { $0.loss = 0.02 }]),
    Scenario("10 Gbit/s, 1 ms", mebibytes: 512, [.init(megabits: 10_000, roundTrip: 0.001)]),
    Scenario("50 Mbit/s, 20 ms", mebibytes: 48, [.init(megabits: 50, roundTrip: 0.02)]),
    Scenario("50 Mbit/s, 20 ms, small file", mebibytes: 4, [.init(megabits: 50, roundTrip: 0.02)]),
    Scenario(
      "100 Mbit/s, 80 ms, 0.01 % loss", mebibytes: 128,
      [SimulatedServer(megabits: 100, roundTrip: 0.08).with { $0.loss = 0.0001 }]),
    Scenario(
      "2 MB/s a connection", mebibytes: 192,
      [SimulatedServer(megabits: 1000, roundTrip: 0.03).with { $0.connectionRate = 2e6 }]),
    Scenario(
      "2 MB/s a connection, 4 at once", mebibytes: 96,
      [
        SimulatedServer(megabits: 1000, roundTrip: 0.03).with {
          $0.connectionRate = 2e6
          $0.allowed = 4
          $0.retryAfter = 2
        }
      ]),
    Scenario(
      "2 at once, then 429", mebibytes: 128,
      [
        SimulatedServer(megabits: 100, roundTrip: 0.03).with {
          $0.allowed = 2
          $0.retryAfter = 2
        }
      ]),
    Scenario(
      "slower the more connections", mebibytes: 160,
      [
        SimulatedServer(megabits: 200, roundTrip: 0.03).with {
          $0.totalRate = { 1.2e7 / (1 + 0.06 * Double(max(0, $0 - 4))) }
        }
      ]),
    Scenario(
      "slower from the third on", mebibytes: 192,
      [
        SimulatedServer(megabits: 200, roundTrip: 0.03).with {
          $0.totalRate = { 1.2e7 / (1 + 0.1 * Double(max(0, $0 - 2))) }
        }
      ]),
    Scenario(
      "two mirrors of 100 Mbit/s", mebibytes: 192,
      [.init(megabits: 100, roundTrip: 0.03), .init(megabits: 100, roundTrip: 0.03)]),
    Scenario(
      "mirrors of 200, 50 and 10 Mbit/s", mebibytes: 256,
      [
        .init(megabits: 200, roundTrip: 0.03), .init(megabits: 50, roundTrip: 0.1),
        .init(megabits: 10, roundTrip: 0.05),
      ]),
    Scenario(
      "one of two mirrors dies", mebibytes: 192,
      [
        .init(megabits: 100, roundTrip: 0.03),
        SimulatedServer(megabits: 100, roundTrip: 0.03).with { $0.diesAt = 5 },
      ]),
    Scenario(
      "one of two mirrors is a black hole", mebibytes: 128,
      [
        .init(megabits: 100, roundTrip: 0.03),
        SimulatedServer(megabits: 100, roundTrip: 0.03).with { $0.silentFrom = 0 },
      ]),
    Scenario(
      "one connection crawls", mebibytes: 128,
      [SimulatedServer(megabits: 100, roundTrip: 0.03).with { $0.stragglers = 1..<2 }]),
  ]
}
