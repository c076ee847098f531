import Testing

@testable import ChunkTransfer

/// Several sources, in a simulated network.
struct MirrorSimulationTests {
  private let mirror = SimulatedServer(megabits: 100, roundTrip: 0.03)

  @Test("two mirrors give at least 1.9 times one")
  func two() throws {
    let one = try download([mirror], mebibytes: 256)
    let both = try download([mirror, mirror], mebibytes: 256)
    #expect(both.seconds * 1.9 <= one.seconds)
  }

  @Test("when one of two dies, the rest takes at most two seconds longer than its bytes do at the other's rate")
  func oneDies() throws {
    let outcome = try download([mirror, mirror.with { $0.diesAt = 5 }], mebibytes: 256)
    let left = Double(256 << 20) - Double(outcome.receivedFrom[1])
    #expect(outcome.isFinished)
    #expect(outcome.seconds <= left / mirror.rate + 2)
  }

  @Test("a black hole costs less than the time-out after which its silence counts", arguments: [0.0, 5])
  func blackHole(_ since: Double) throws {
    let outcome = try download([mirror, mirror.with { $0.silentFrom = since }], mebibytes: 256)
    let left = Double(256 << 20) - Double(outcome.receivedFrom[1])
    #expect(outcome.isFinished)
    #expect(outcome.seconds <= left / mirror.rate + 3)
  }

  @Test("mirrors of different rates are all used, in proportion, and end together")
  func inProportion() throws {
    let slower = SimulatedServer(megabits: 25, roundTrip: 0.08)
    let outcome = try download([mirror, slower], mebibytes: 256)
    let rates = [mirror, slower].map(\.rate)
    #expect(outcome.seconds <= Double(256 << 20) / (rates[0] + rates[1]) * 1.08)
    #expect(Double(outcome.receivedFrom[1]) > 0.15 * Double(256 << 20))
  }

  @Test("a mirror that only costs is left alone, and is not waited for")
  func onlyCosts() throws {
    let slow = SimulatedServer(megabits: 1, roundTrip: 0.2)
    let alone = try download([mirror], mebibytes: 128)
    let outcome = try download([mirror, slow], mebibytes: 128)
    #expect(outcome.seconds <= 1.03 * alone.seconds)
    #expect(outcome.receivedFrom[1] < 4 << 20)
  }

  @Test("a mirror that was left alone is asked again when the better one is gone")
  func slowOneIsBetterThanNone() throws {
    let slow = SimulatedServer(megabits: 4, roundTrip: 0.2)
    let outcome = try download([mirror.with { $0.diesAt = 5 }, slow], mebibytes: 64)
    #expect(outcome.isFinished)
  }
}
