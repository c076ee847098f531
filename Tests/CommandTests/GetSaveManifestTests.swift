import ChunkTestSupport
import FaultServer
import Testing

/// `--save-manifest`: what was downloaded can be verified, repaired and published without its first publisher.
@Suite struct GetSaveManifestTests {
  private static let manifest = Publication.name + ".chunks"

  @Test func `without a manifest the one that is saved describes the file, and repairs it`() async throws {
    let publication = try await Publication(count: 3_000_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["--no-manifest", "--save-manifest", server.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(try directory.names() == [Publication.name, Self.manifest])
    let verify = try await Subprocess("chunkmanifest", ["verify", directory.path(Publication.name)]).run()
    #expect(verify.status == 0, "\(verify)")

    try TestFile.flip(directory.path(Publication.name), at: 1_000_000)
    let repair = try await GetRun(["--manifest", Self.manifest, server.url()], in: directory)
    #expect(repair.done?.fetched == 262_144)
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }

  @Test func `a verified file keeps its ID, however it came to be there`() async throws {
    let publication = try await Publication(count: 1_000_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    // Fetched, and then right already.
    for _ in 1...2 {
      let run = try await GetRun(["--save-manifest", server.url()], in: directory)
      #expect(run.status == 0, "\(run)")
      let shown = try await Subprocess("chunkmanifest", ["show", directory.path(Self.manifest)]).run()
      #expect(shown.outputText.contains(publication.id))
      try directory.remove(Self.manifest)
    }
  }

  @Test func `a place where none can be made is told, and the file is there`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    try directory.makeDirectory(Self.manifest)
    let run = try await GetRun(["--save-manifest", server.url()], in: directory)
    #expect(run.status == 7)
    #expect(run.error?.message?.contains("The file is complete") == true, "\(run)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }
}
