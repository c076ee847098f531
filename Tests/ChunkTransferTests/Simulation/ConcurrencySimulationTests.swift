import ChunkTestSupport
import Testing

@testable import ChunkTransfer

/// How many connections a download uses, in a simulated network.
struct ConcurrencySimulationTests {
  /// Set `CHUNKGET_PRINT_RATIOS` to see the figures.
  @Test("without -x a download takes at most 1.1 times what the best -x of 1 to 16 does", arguments: Scenario.all)
  func comesNearTheBestFixedNumber(_ scenario: Scenario) throws {
    let best = try scenario.bestFixed()
    let fixed = try scenario.meanSeconds(connections: best)
    let adaptive = try scenario.meanSeconds()
    if Environment.value(of: "CHUNKGET_PRINT_RATIOS") != nil {
      print("RATIO | \(scenario.name) | \(best) | \(fixed) | \(adaptive) | \(adaptive / fixed)")
    }
    #expect(adaptive <= 1.1 * fixed, "-x \(best) takes \(fixed) s")
  }

  @Test(
    "a server that allows two is left with two, and never asked earlier than it says", arguments: [1.0, 5, 20],
    [(0.03, 4), (0.1, 16)])
  func allowsTwo(_ retryAfter: Double, _ path: (roundTrip: Double, start: Int)) throws {
    let server = SimulatedServer(megabits: 50, roundTrip: path.roundTrip).with {
      $0.allowed = 2
      $0.retryAfter = retryAfter
    }
    let outcome = try download([server], mebibytes: 256)
    #expect(outcome.isFinished)
    #expect(outcome.early == 0)
    // Those that were too many at the start; after a minute it may be asked whether it allows more by now.
    #expect(outcome.refusals <= path.start - 2 + 1)
    let late = outcome.open.dropFirst(Int(10 * retryAfter) + 10).dropLast(10)
    #expect(late.allSatisfy { $0 <= 2 })
    #expect(late.count { $0 == 2 } * 10 >= late.count * 9)
  }

  @Test("a line that few connections fill is not left with many", arguments: [(0.03, 12, 4), (0.1, 16, 6)])
  func fallsBack(_ roundTrip: Double, most: Int, left: Int) throws {
    let outcome = try download([SimulatedServer(megabits: 100, roundTrip: roundTrip)], mebibytes: 512)
    #expect(outcome.open.max().map { $0 <= most } == true)
    #expect(outcome.open.suffix(150).allSatisfy { $0 <= left })
  }

  @Test("sixteen are in use within ten round trips where each brings its share")
  func opensQuickly() throws {
    let server = SimulatedServer(megabits: 1000, roundTrip: 0.1)
    let outcome = try download([server], mebibytes: 512)
    #expect(outcome.open.firstIndex(of: 16).map { $0 <= 10 } == true)
    let slow = try download(
      [SimulatedServer(megabits: 1000, roundTrip: 0.03).with { $0.connectionRate = 1e6 }], mebibytes: 512)
    #expect(slow.open.max() == 16)
    #expect(slow.open.count { $0 == 16 } * 10 >= slow.open.count * 8)
  }

  @Test("a short line is filled as well as by a single answer without a pause")
  func asGoodAsOneStream() throws {
    let server = SimulatedServer(megabits: 200, roundTrip: 0.04)
    let stream = try download([server], mebibytes: 512, connections: 1) {
      ($0.smallestSpan, $0.largestSpan) = (1 << 30, 1 << 30)
    }
    #expect(stream.requests == 1)
    let adaptive = try download([server], mebibytes: 512)
    #expect(adaptive.seconds <= 1.03 * stream.seconds)
  }

  @Test("-x fixes the number", arguments: [1, 3, 16])
  func fixed(_ connections: Int) throws {
    let outcome = try download(
      [SimulatedServer(megabits: 100, roundTrip: 0.03)], mebibytes: 128, connections: connections)
    #expect(outcome.open.max() == connections)
  }
}

/// Simulates a download.
func download(
  _ servers: [SimulatedServer], mebibytes: UInt64, connections: Int? = nil, seed: UInt64 = 1,
  configure: (inout Scheduler.Settings) -> Void = { _ in }
) throws -> Simulation.Outcome {
  var simulation = try Simulation(
    servers, length: mebibytes << 20, connections: connections, seed: seed, configure: configure)
  return simulation.run()
}
