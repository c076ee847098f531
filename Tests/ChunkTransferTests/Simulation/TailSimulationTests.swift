import ChunkCore
import Testing

@testable import ChunkTransfer

/// How a download comes to its end, and what it asks for on the way, in a simulated network.
struct TailSimulationTests {
  @Test("all connections finish together", arguments: [4, 8, 16])
  func together(_ connections: Int) throws {
    let server = SimulatedServer(megabits: 1000, roundTrip: 0.03).with { $0.connectionRate = 2e6 }
    let outcome = try download([server], mebibytes: 128, connections: connections)
    let ideal = Double(128 << 20) / (2e6 * Double(connections))
    #expect(outcome.seconds <= ideal * 1.02 + 0.3)
  }

  @Test("a connection that crawls keeps nobody waiting for long", arguments: 1...5)
  func straggler(_ seed: UInt64) throws {
    let server = SimulatedServer(megabits: 100, roundTrip: 0.03)
    let without = try download([server], mebibytes: 128, seed: seed)
    let with = try download([server.with { $0.stragglers = 1..<2 }], mebibytes: 128, seed: seed)
    #expect(with.seconds <= without.seconds + 1.5)
    // Its last chunk was fetched twice.
    #expect(with.wasted <= 1 << 20)
  }

  @Test("long answers on the way, short ones at the end, and few of them")
  func spanLengths() throws {
    let outcome = try download([SimulatedServer(megabits: 200, roundTrip: 0.04)], mebibytes: 512)
    let lengths = outcome.spans.map { $0.count << 18 }
    #expect(lengths.prefix(lengths.count / 2).allSatisfy { $0 >= 4 << 20 })
    #expect(lengths.allSatisfy { $0 <= 20 << 20 })
    #expect(lengths.suffix(4).allSatisfy { $0 <= 4 << 20 })
    #expect(lengths.count <= 100)
  }

  @Test("small gaps are fetched again rather than asked around, within 2 % of what is wanted")
  func gaps() throws {
    let server = SimulatedServer(megabits: 200, roundTrip: 0.1)
    let length: UInt64 = 512 << 20
    // Two of them every 32 MiB are worth it, and every second chunk of the end is not.
    let some = (0..<2048).filter { $0 % 128 == 64 }.map(ChunkIndex.init)
    var simulation = try Simulation([server], length: length, connections: 4, present: some)
    let bridged = simulation.run()
    #expect(bridged.wasted > 0)
    #expect(bridged.wasted <= UInt64(some.count) << 18)
    let many = (0..<2048).filter { $0 % 4 == 0 }.map(ChunkIndex.init)
    simulation = try Simulation([server], length: length, connections: 4, present: many)
    let limited = simulation.run()
    let wanted = length - UInt64(many.count) << 18
    #expect(limited.isFinished)
    #expect(limited.wasted > 0)
    #expect(limited.wasted <= wanted / 50)
  }

  @Test("the same seed gives the same download")
  func isDeterministic() throws {
    let server = SimulatedServer(megabits: 100, roundTrip: 0.05).with { $0.loss = 0.001 }
    let first = try download([server, server], mebibytes: 64, seed: 7)
    let second = try download([server, server], mebibytes: 64, seed: 7)
    #expect(first.seconds == second.seconds)
    #expect(first.spans == second.spans)
  }
}
