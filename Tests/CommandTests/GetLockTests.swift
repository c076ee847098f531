import ChunkTestSupport
import FaultServer
import Testing

/// Two processes that want the same output.
@Suite(.serialized) struct GetLockTests {
  static let path = "/" + Publication.name

  @Test func `the second one is told so and changes nothing; killed, the first one makes room`() async throws {
    let publication = try await Publication(count: 2 << 20)
    let gate = Gate()
    let server = try publication.server([.on(.path(Self.path), .stall(after: 300_000, .gate(gate)))])
    let directory = try TemporaryDirectory()
    let first = try GetRun.start(["-x", "2", server.url()], in: directory)
    try await server.waitUntil { $0.held == 2 }

    let second = try await GetRun([server.url()], in: directory)
    #expect(second.status == 8, "\(second)")
    #expect(second.error?.kind == "locked")
    #expect(try directory.names() == [Publication.name + ".part", Publication.name + ".part.chunks"])

    first.kill(9)
    #expect(await first.result.end == .signalled(9))
    gate.open()
    let third = try await GetRun([server.url()], in: directory)
    #expect(third.status == 0, "\(third)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
    #expect(try directory.names() == [Publication.name])
  }

  @Test(arguments: 0..<Soak.rounds(6, soak: 100))
  func `started at once, whoever wins: the right bytes or none`(_: Int) async throws {
    let publication = try await Publication(count: 500_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let processes = try (0..<4).map { _ in try GetRun.start([server.url()], in: directory) }
    var statuses: [Int] = []
    for process in processes {
      statuses.append(try await GetRun(ended: process).status)
      if TestFile.exists(directory.path(Publication.name)) {
        #expect(try publication.isComplete(directory.path(Publication.name)))
      }
    }
    #expect(statuses.contains(0))
    #expect(statuses.allSatisfy { $0 == 0 || $0 == 8 }, "\(statuses)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
    #expect(try directory.names() == [Publication.name], "no partial of a loser stays behind")
  }

  @Test(arguments: 0..<Soak.rounds(6, soak: 100))
  func `one starts while another finishes`(_: Int) async throws {
    let publication = try await Publication(count: 500_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let output = directory.path(Publication.name)
    let watch = try DirectoryWatch(directory.path)
    let first = try GetRun.start([server.url()], in: directory)
    // The moment the name appears, its process has yet to remove what lies beside it.
    let watching = Task {
      try await watch.waitUntil { TestFile.exists(output) }
      return try await GetRun([server.url()], in: directory)
    }
    #expect(try await GetRun(ended: first).status == 0)
    watch.stop()
    let second = try await watching.value
    #expect(second.status == 0 || second.status == 8, "\(second)")
    #expect(try publication.isComplete(output))
    #expect(try directory.names() == [Publication.name])
  }
}
