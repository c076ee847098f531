import ChunkTestSupport
import FaultServer
import Testing

/// `--lock` and `--locked`, as a job that has to get the same bytes every time uses them.
@Suite struct GetLockFileTests {
  private func lockText(_ directory: TemporaryDirectory) throws -> String {
    String(decoding: try #require(directory.read("lock.json")), as: UTF8.self)
  }

  @Test func aJobLocksAndGetsTheSameAgain() async throws {
    let publication = try await Publication(count: 500_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let url = server.url("/file.bin")
    let first = try await GetRun(["--lock", "lock.json", url + "?token=geheim"], in: directory)
    #expect(first.status == 0, "\(first)")
    let text = try lockText(directory)
    #expect(text.contains(publication.id) && text.contains("token=…") && !text.contains("geheim"))
    #expect(text.contains("\"length\" : 500000") && text.contains("\"chunkSize\" : 65536"))
    let sum = try await Subprocess("sha256sum", [directory.path("file.bin")]).run().outputText.prefix(64)
    #expect(text.contains("\"sha256\" : \"\(sum)\""))
    // The same download again changes nothing, and another one adds to it.
    #expect(try await GetRun(["--lock", "lock.json", url + "?token=anders"], in: directory).status == 0)
    #expect(try lockText(directory) == text)
    #expect(try await GetRun(["--lock", "lock.json", "-o", "-", url], in: directory).status == 0)
    #expect(try lockText(directory).contains("\"url\" : \"\(url)\""))
    #expect(try directory.names() == ["file.bin", "lock.json"])

    try directory.remove("file.bin")
    let again = try await GetRun(["--locked", "lock.json", url], in: directory)
    #expect(again.done?.trust == "pinned", "\(again)")
    #expect(try publication.isComplete(directory.path("file.bin")))
    #expect(try lockText(directory).contains("…"))
  }

  @Test func withoutURLsAllThatIsLockedComes() async throws {
    let publication = try await Publication(count: 200_000)
    let server = try publication.server()
    for suffix in ["", ".chunks"] {
      let bytes = suffix.isEmpty ? publication.content : try publication.manifest
      server.setResource(.bytes(bytes), at: "/other.bin" + suffix)
    }
    let directory = try TemporaryDirectory()
    let urls = [server.url("/file.bin"), server.url("/other.bin")]
    #expect(try await GetRun(["--lock", "lock.json"] + urls, in: directory).status == 0)
    let out = try TemporaryDirectory()
    let run = try await GetRun(["--locked", directory.path("lock.json"), "-d", out.path])
    #expect(run.status == 0, "\(run)")
    #expect(try out.names() == ["file.bin", "other.bin"])
    let single = try await GetRun.program(["--locked", directory.path("lock.json"), "-o", "x"], in: out).run()
    #expect(single.status == 2)
    #expect(single.errorText.contains("--output belongs to one file"))
  }

  @Test func aChangedFileIsRefused() async throws {
    let publication = try await Publication(count: 300_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    #expect(try await GetRun(["--lock", "lock.json", server.url("/file.bin")], in: directory).status == 0)
    let payload = server.recording.requests(to: "/file.bin").count
    let changed = try await Publication(publication.content.reversed())
    server.setResource(.bytes(changed.content), at: "/file.bin")
    server.setResource(.bytes(try changed.manifest), at: "/file.bin.chunks")
    let out = try TemporaryDirectory()
    for output in [["-d", out.path], ["-o", "-"]] {
      let run = try await GetRun(["--locked", directory.path("lock.json")] + output)
      #expect(run.status == 3, "\(run)")
      #expect(run.result.output.isEmpty)
    }
    #expect(try out.names().isEmpty)
    #expect(server.recording.requests(to: "/file.bin").count == payload)
  }

  @Test func lockFilesThatCannotBeUsed() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("something of mine".utf8), to: "mine")
    try directory.write(Array("{\"format\":\"chunkget lock 1\",\"downloads\":[]}".utf8), to: "empty.json")
    for (words, status, message) in [
      (["--lock", "mine", "http://127.0.0.1:1/x"], 2, "is no lock file"),
      (["--locked", "mine", "http://127.0.0.1:1/x"], 3, "is no lock file"),
      (["--locked", "absent", "http://127.0.0.1:1/x"], 3, "there is no such file"),
      (["--locked", "empty.json", "http://127.0.0.1:1/x"], 3, "does not name http://127.0.0.1:1/x"),
      (
        ["--locked", "mine", "--sha256", String(repeating: "0", count: 64), "http://127.0.0.1:1/x"], 2, "nothing to add"
      ),
      (["--lock", "mine"], 2, "no URL given"),
      // Before hours of downloading, not after them.
      (["--lock", "absent/lock.json", "http://127.0.0.1:1/x"], 2, "absent"),
    ] {
      let result = try await GetRun.program(words, in: directory).run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
    }
    #expect(directory.read("mine") == Array("something of mine".utf8))
    #expect(try directory.names() == ["empty.json", "mine"])
  }
}
