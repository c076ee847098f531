import ChunkTestSupport
import FaultServer
import Testing

/// What `Spec/events-v1.md` promises of `--progress json`.
@Suite struct GetEventTests {
  static let members = [
    "start": ["event", "output"],
    "notice": ["event", "message"],
    "progress": ["connections", "event", "phase", "rate", "remaining", "reused", "total", "verified"],
    "error": ["event", "kind", "message", "status"],
    "done": [
      "bytes", "discarded", "event", "fetched", "id", "output", "received", "requests", "reused", "seconds", "sources",
      "stored",
      "trust",
    ],
  ]

  @Test func `every line has what the Spec says, and the order holds`() async throws {
    let publication = try await Publication(count: 3 << 20)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["--limit-rate", "8M", server.url()], in: directory)
    try checkLines(run)
    let progress = run.events.filter { $0.event == "progress" }
    #expect(Set(progress.compactMap(\.phase)).isSubset(of: ["manifest", "checking", "fetching", "finishing"]))
    let verified = progress.compactMap(\.verified)
    #expect(verified == verified.sorted())
    let done = try #require(run.done)
    #expect(done.output == Publication.name)
    #expect(done.id == publication.id)
    #expect(done.trust == "transport")
    #expect(done.bytes == publication.content.count)
    #expect(done.fetched == publication.content.count)
    #expect(done.reused == 0)
    #expect(done.discarded == 0)
    #expect(done.requests == server.recording.requests(to: "/" + Publication.name).count)
    let source = try #require(done.sources?.first)
    #expect(source.url == server.url())
    #expect(source.bytes == publication.content.count)
    #expect(source.wrongChunks == [])
    #expect(!source.quarantined)
  }

  @Test func `a failure has its line too`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    let run = try await GetRun(["-o", "-", server.url("/x\u{1b}[31m")])
    try checkLines(run)
    #expect(run.error != nil)
    #expect(!run.result.errorText.contains("\u{1b}"), "nothing that a terminal obeys")
  }

  @Test func `several URLs: each has its start and its end`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    server.setResource(.bytes([1, 2, 3]), at: "/small")
    let directory = try TemporaryDirectory()
    let urls = [server.url(), server.url("/absent"), server.url("/small")]
    let run = try await GetRun(["--retry", "0"] + urls, in: directory)
    let ends = run.events.map(\.event).filter { ["start", "error", "done"].contains($0) }
    #expect(ends == ["start", "done", "start", "error", "start", "done"])
    #expect(run.status == 4, "the first failure decides, and does not keep the others from coming")
    #expect(try directory.names() == [Publication.name, "small"])
    #expect(run.events.last?.trust == "none")
  }

  @Test func `wrong chunks and quarantine are told for the source that sent them`() async throws {
    let publication = try await Publication(count: 40 * (64 << 10))
    let bad = try publication.server((0..<40).map { .flip("/" + Publication.name, at: UInt64($0 * (64 << 10) + 9)) })
    let good = try publication.server()
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["-x", "2", "--mirror", good.url(), bad.url()], in: directory)
    let sources = try #require(run.done?.sources, "\(run)")
    #expect(sources.map(\.url) == [bad.url(), good.url()])
    #expect(sources[0].quarantined && !sources[0].wrongChunks.isEmpty)
    #expect(!sources[1].quarantined && sources[1].wrongChunks.isEmpty)
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }

  private func checkLines(_ run: GetRun) throws {
    for line in run.result.errorLines {
      let event = try GetEvent(line)
      #expect(try GetEvent.members(of: line) == Self.members[event.event], "\(line)")
    }
    #expect(run.events.first?.event == "start")
    #expect(run.events.filter { ["done", "error"].contains($0.event) }.count == 1)
    #expect(["done", "error"].contains(run.events.last?.event))
  }
}
