import ChunkTestSupport
import FaultServer
import Testing

/// `--seed` as people use it.
@Suite struct GetSeedTests {
  @Test("several seeds, to a file and to standard output: only what none has is fetched")
  func seeds() async throws {
    let publication = try await Publication(count: 3_000_000)
    let server = try publication.server()
    let client = try TemporaryDirectory()
    try client.write(Array(publication.content[..<1_500_000]), to: "a")
    try client.write(Array(publication.content[2_000_000...]), to: "b")
    let missing = Set(0..<publication.chunkCount).subtracting(0..<22).subtracting(
      [publication.chunkCount - 1])
    let url = server.url("/\(Publication.name)")
    // What of "b" lies at a multiple of the chunk size there lies at none in the file.
    let run = try await GetRun(["--seed", "a", "--seed", "b", url], in: client)
    #expect(run.status == 0, "\(run)")
    #expect(run.done?.fetched == publication.bytes(in: missing))
    #expect(publication.chunksServed(server.recording.requests) == missing)
    let isRight = client.read(Publication.name) == publication.content
    #expect(isRight)

    let streamed = try await GetRun(["--seed", Publication.name, "-o", "-", url], in: client)
    #expect(streamed.status == 0)
    #expect(streamed.done?.fetched == 0)
    let isSame = streamed.result.output == publication.content
    #expect(isSame)
  }

  @Test("a seed that cannot be one is a wrong command line, said by name", arguments: ["missing", "directory"])
  func unusable(_ name: String) async throws {
    let client = try TemporaryDirectory()
    try client.makeDirectory("directory")
    let run = try await GetRun(["--seed", name, "http://127.0.0.1:1/file"], in: client)
    #expect(run.status == 2)
    #expect(run.error?.message?.contains("the seed \(name): ") == true, "\(run)")
  }
}
