import ChunkTestSupport
import FaultServer
import Testing

/// A download that is killed at any moment loses at most the chunks in flight, whatever happens to its files meanwhile.
@Suite(.serialized) struct GetKillTests {
  /// How many kills: 20, or as many as `CHUNKGET_TEST_KILLS` says.
  static let count = Environment.value(of: "CHUNKGET_TEST_KILLS").flatMap { Int($0) } ?? 20

  @Test(.timeLimit(.minutes(20)))
  func `kills spread over the bytes written, with every damage`() async throws {
    var random = SeededRandom(for: "kills")
    // Two groups of small chunks, so that leaf pages matter; and few large ones.
    let publications = [
      try await Publication(count: (4 << 20) + 12_345, chunkSize: 4 << 10),
      try await Publication(count: (4 << 20) + 12_345, chunkSize: 64 << 10),
    ]
    var midway = 0
    for number in 0..<Self.count {
      let publication = publications[number % 2]
      let total = publication.content.count
      let trial = try KillTrial(publication, server: try publication.server())
      // One moment in each slice of the file, in a random place of the slice.
      let slice = Double(number) + Double.random(in: 0..<1, using: &random)
      let moment = UInt64(Double(total) * (0.01 + 0.9 * slice / Double(Self.count)))
      let damage = Damage.allCases[number % Damage.allCases.count]
      guard try await trial.kill(at: moment) else { continue }
      let share = Double(publication.bytes(in: try trial.rightChunks())) / Double(total)
      if (0.01...0.99).contains(share) { midway += 1 }
      try damage.apply(to: trial, &random)
      try await trial.finish(mayDiscard: trial.connections * publication.chunkSize)
    }
    #expect(midway * 100 >= Self.count * 80, "\(midway) of \(Self.count) kills came with 1 to 99 % on disk; \(random)")
  }

  @Test(.timeLimit(.minutes(5)))
  func `one download killed again and again gets on`() async throws {
    let publication = try await Publication(count: 4 << 20)
    let trial = try KillTrial(publication, server: try publication.server())
    var before = 0
    for tenth in 1...8 {
      guard try await trial.kill(at: UInt64(publication.content.count) * UInt64(tenth) / 10) else { break }
      let kept = publication.bytes(in: try trial.rightChunks())
      #expect(kept >= before, "nothing that was right may go")
      before = kept
    }
    try await trial.finish()
  }

  @Test(.timeLimit(.minutes(5)), arguments: [FaultAction.Ending.close, .reset])
  func `killed and resumed over connections that are cut every 100 KiB`(ending: FaultAction.Ending) async throws {
    let publication = try await Publication(count: 3 << 20)
    let server = try publication.server(connections: ConnectionFaults(cut: .init(every: 100 << 10, ending)))
    let trial = try KillTrial(publication, server: server)
    _ = try await trial.kill(at: 1 << 20)
    try await trial.finish(mayDiscard: trial.connections * publication.chunkSize)
  }

  @Test(.timeLimit(.minutes(5)), arguments: Damage.allCases)
  func `killed with a seed it takes from the seed again what it has to, and the rest is fetched once`(
    damage: Damage
  ) async throws {
    var random = SeededRandom(for: "kills with a seed")
    let publication = try await Publication(count: (4 << 20) + 12_345, chunkSize: 4 << 10)
    var trial = try KillTrial(publication, server: try publication.server())
    // Every other group of 64 chunks, each at a place of its own.
    let chunks = Set((0..<1024).filter { $0 / 64 % 2 == 0 })
    let bytes = chunks.sorted(by: >).flatMap { publication.content[$0 * 4096..<($0 + 1) * 4096] }
    let place = try TemporaryDirectory()
    trial.seed = (try place.write(bytes, to: "seed"), chunks)
    // Some of it comes from the seed at once, so that this is early or in the midst of the network's part.
    let moment = UInt64.random(in: 100_000...3_500_000, using: &random)
    guard try await trial.kill(at: moment) else { return }
    try damage.apply(to: trial, &random)
    try await trial.finish(mayDiscard: trial.connections * publication.chunkSize)
  }

  @Test(.timeLimit(.minutes(5)), arguments: Damage.allCases)
  func `without a manifest what was learned is gone on with, whatever was done to it`(damage: Damage) async throws {
    var random = SeededRandom(seed: 7)
    // Without a manifest it is cut into chunks of this size.
    let publication = try await Publication(count: (4 << 20) + 12_345, chunkSize: 256 << 10)
    var trial = try KillTrial(publication, server: try publication.server())
    trial.hasManifest = false
    guard try await trial.kill(at: 2 << 20) else { return }
    try damage.apply(to: trial, &random)
    let kept = try await trial.finishUnverified()
    if damage == .nothing { #expect(kept > 0) }
  }

  // MARK: What others left

  @Test(arguments: [0, 1, 65_536, 1_000_000, (2 << 20) + 1])
  func `a plain prefix of another program is adopted`(length: Int) async throws {
    let trial = try await trial()
    try TestFile.write(Array(trial.publication.content[..<length]), to: trial.partial)
    try await trial.finish()
  }

  @Test func `a preallocated partial of zeros is fetched whole`() async throws {
    let trial = try await trial()
    try TestFile.write([UInt8](repeating: 0, count: trial.publication.content.count), to: trial.partial)
    try await trial.finish()
  }

  @Test func `of a partial of another version what is the same is kept`() async throws {
    let trial = try await trial()
    var random = SeededRandom(seed: 3)
    var other = trial.publication.content
    for chunk in 0..<trial.publication.chunkCount where chunk % 3 == 1 {
      let range = trial.publication.range(of: chunk)
      other.replaceSubrange(range, with: random.bytes(count: range.count))
    }
    // The other version is longer, and its manifest lies beside it.
    let older = try await Publication(other + random.bytes(count: 300_000))
    try TestFile.write(older.content, to: trial.partial)
    try TestFile.write(try older.manifest, to: trial.partial + ".chunks")
    try await trial.finish()
  }

  @Test func `a partial that is right and too long is only cut`() async throws {
    let trial = try await trial()
    try TestFile.write(trial.publication.content + [1, 2, 3], to: trial.partial)
    try await trial.finish()
    #expect(trial.server.recording.requests(to: "/" + Publication.name).isEmpty)
  }

  @Test func `a complete partial needs no payload request`() async throws {
    let trial = try await trial()
    try TestFile.write(trial.publication.content, to: trial.partial)
    try await trial.finish()
    #expect(trial.server.recording.requests(to: "/" + Publication.name).isEmpty)
  }

  private func trial() async throws -> KillTrial {
    let publication = try await Publication(count: (2 << 20) + 1000)
    return try KillTrial(publication, server: try publication.server())
  }
}
