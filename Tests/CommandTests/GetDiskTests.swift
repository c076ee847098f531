import ChunkTestSupport
import FaultServer
import Testing

/// Disks that are full or may not be written to: small file systems mounted for the test.
@Suite(.enabled(if: Machine.isRoot && Machine.has("mount"), "only root can mount")) struct GetDiskTests {
  @Test func `a full disk is told before anything is fetched, and with room it goes on`() async throws {
    let publication = try await Publication(count: 3 << 20)
    let server = try publication.server()
    try await mounted("tmpfs", "size=1m") { directory in
      let run = try await GetRun(["-d", directory, server.url()])
      #expect(run.status == 7, "\(run)")
      #expect(run.error?.kind == "disk")
      #expect(run.error?.message?.contains("full") == true, "\(run)")
      #expect(server.recording.requests(to: "/" + Publication.name).isEmpty)
      #expect(!TestFile.exists("\(directory)/\(Publication.name)"))
      _ = try await Subprocess("mount", ["-o", "remount,size=8m", directory]).run()
      let again = try await GetRun(["-d", directory, server.url()])
      #expect(again.status == 0, "\(again)")
      #expect(try publication.isComplete("\(directory)/\(Publication.name)"))
    }
  }

  @Test func `a read-only file system`() async throws {
    let server = try await Publication(count: 100_000).server()
    try await mounted("tmpfs", "ro") { directory in
      let run = try await GetRun(["-d", directory, server.url()])
      #expect(run.status == 7, "\(run)")
      #expect(run.error?.message?.contains("EROFS") == true, "\(run)")
    }
  }

  private func mounted(
    _ type: String, _ options: String, _ body: (_ directory: String) async throws -> Void
  ) async throws {
    let home = try TemporaryDirectory()
    let directory = home.path("mounted")
    try TestFile.makeDirectory(directory)
    let mounting = try await Subprocess("mount", ["-t", type, "-o", options, type, directory]).run()
    // Containers have roots that may not.
    guard mounting.status == 0 else { try Test.cancel("cannot mount here: \(mounting.errorText)") }
    let result: Result<Void, any Error>
    do { result = .success(try await body(directory)) } catch { result = .failure(error) }
    let unmounting = try await Subprocess("umount", [directory]).run()
    #expect(unmounting.status == 0, "\(unmounting)")
    try result.get()
  }
}
