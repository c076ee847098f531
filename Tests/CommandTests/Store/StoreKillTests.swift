import ChunkSystem
import ChunkTestSupport
import FaultServer
import Testing

/// Four processes that share one store are killed again and again, at whatever they do.
@Suite(.serialized) struct StoreKillTests {
  /// How many kills: 24, or as many as `CHUNKGET_TEST_KILLS` says.
  static let count = Environment.value(of: "CHUNKGET_TEST_KILLS").flatMap { Int($0) } ?? 24

  @Test(.timeLimit(.minutes(20)))
  func `downloads, prunes and repairs killed at any moment lose nothing that is wanted`() async throws {
    var random = SeededRandom(for: "kills of a store")
    let store = try StoreRun()
    // Two that are pinned and two that come and go; half of their chunks are the same.
    let shared = random.bytes(count: 1 << 20)
    var publications: [Publication] = []
    for _ in 0..<4 {
      publications.append(try await Publication(shared + random.bytes(count: 1 << 20), chunkSize: 16 << 10))
    }
    var resources: [String: Resource] = [:]
    for (number, publication) in publications.enumerated() {
      resources["/\(number)"] = .bytes(publication.content)
      resources["/\(number).chunks"] = .bytes(try publication.manifest)
    }
    let server = try FaultServer(resources: resources)
    for number in 0..<2 {
      let run = try await GetRun(
        ["--store", store.path, server.url("/\(number)"), "-o", "pinned\(number)"], in: store.directory)
      try #require(run.status == 0, "\(run)")
      #expect(try await store("pin", publications[number].id).status == 0)
    }

    var kills = 0
    var everDamaged: Set<String> = []
    for round in 0..<1000 where kills < Self.count {
      // One of them is damaged while nobody looks.
      let damaged = try #require(try store.files.chunks.randomElement(using: &random))
      try store.files.replace(damaged, with: random.bytes(count: 100))
      everDamaged.insert(damaged)
      let outputs = (0..<2).map { "out\(round)-\($0)" }
      let downloads = outputs.enumerated().map { number, output in
        var get = GetRun.program(
          ["--store", store.path, "--limit-rate", "16M", server.url("/\(2 + number)"), "-o", output],
          in: store.directory)
        get.output = .discarded
        return get
      }
      let upkeep = [
        store.program("prune", ["--max-size", "\(Int.random(in: 1...5, using: &random))M"]),
        store.program("repair", ["--from", server.url("/\(round % 2)"), publications[round % 2].id]),
      ]
      let running = try (downloads + upkeep).map { try $0.start() }
      let moments = running.map { _ in Duration.milliseconds(Int.random(in: 1...250, using: &random)) }
      await withTaskGroup(of: Void.self) { group in
        for (process, moment) in zip(running, moments) {
          group.addTask {
            // Any moment will do: it is not to be known which.
            try? await onOwnThread { DedicatedThread.pause(for: moment) }
            process.kill(9)
          }
        }
      }
      for (place, process) in running.enumerated() {
        let result = await process.result
        if result.end == .signalled(9) { kills += 1 }
        // The prune may have met the chunk that was damaged; nothing else may fail.
        guard place < 2, result.end == .exited(0) else { continue }
        let isRight = try TestFile.read(store.directory.path(outputs[place])).isSame(
          as: publications[2 + place].content)
        #expect(isRight, "round \(round), \(random)")
      }
      // But for those that were damaged, each file is what its name says: a kill tears nothing.
      #expect(try await store.wrongChunks().allSatisfy(everDamaged.contains), "round \(round), \(random)")
      for number in 0..<2 {
        let repair = try await store("repair", "--from", server.url("/\(number)"), publications[number].id)
        #expect(repair.status == 0, "round \(round), \(random): \(repair)")
      }
      let fetched = server.recording.requests(to: "/0") + server.recording.requests(to: "/1")
      let before = fetched.compactMap(\.served).reduce(0) { $0 + $1.count }
      for number in 0..<2 {
        let export = try await store("export", publications[number].id, "-o", "export")
        #expect(export.status == 0, "round \(round), \(random): \(export)")
        #expect(try TestFile.read(store.directory.path("export")).isSame(as: publications[number].content))
      }
      // What a pinned file lost by all of this is the chunk that was damaged, once for each repair that was killed.
      #expect(before <= 2 * publications[0].content.count + (round + 1) * 3 * (16 << 10), "round \(round), \(random)")
    }
    #expect(kills >= Self.count, "\(random)")

    // Nothing is to be recovered: what is left over goes with the next prune.
    #expect(try await store("prune").status == 0)
    #expect(try store.files.names(in: "tmp").isEmpty)
    #expect(try store.files.names(in: "leases").isEmpty)
    for number in 0..<4 {
      let run = try await GetRun(
        ["--store", store.path, server.url("/\(number)"), "-o", "last\(number)"], in: store.directory)
      #expect(run.status == 0, "\(run)")
    }
    #expect(try await store("prune").status == 0)
    let verify = try await store("verify")
    #expect(verify.status == 0, "\(random): \(verify.outputText)")
  }
}
