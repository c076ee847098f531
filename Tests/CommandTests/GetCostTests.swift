import ChunkTestSupport
import FaultServer
import Testing

/// What a download costs in things that can be counted and do not depend on how fast the machine is. The limits are twice what
/// was counted when they were set: they are there for what makes it several times more.
@Suite(.serialized) struct GetCostTests {
  private static let mebibytes = 64
  private static let canTrace = Machine.has("strace") && NginxServer.isAvailable

  /// System calls of a command by name, `total` among them; all its threads together.
  private func systemCalls(_ command: [String], in directory: TemporaryDirectory) async throws -> [String: Int] {
    let summary = directory.path("calls")
    var program = Subprocess("strace", ["-f", "-c", "-o", summary] + command)
    program.directory = directory.path
    program.environment = ["no_proxy": "*", "SWIFT_BACKTRACE": "enable=no"]
    let result = try await program.run()
    try #require(result.status == 0, "\(result)")
    var calls: [String: Int] = [:]
    for line in String(decoding: try TestFile.read(summary), as: UTF8.self).split(separator: "\n") {
      let columns = line.split(separator: " ")
      if columns.count >= 5, let count = Int(columns[3]), let name = columns.last { calls[String(name)] = count }
    }
    return calls
  }

  @Test(.enabled(if: canTrace, "strace or nginx is not installed"))
  func `a mebibyte takes few system calls, and a gibibyte few requests`() async throws {
    let publication = try await Publication(count: Self.mebibytes << 20, chunkSize: 256 << 10)
    let server = try NginxServer(.directory(publication.directory.path))
    let directory = try TemporaryDirectory()
    let get = PackagePaths.product("chunkget")
    let url = server.url("/" + Publication.name)
    let nothing = try await systemCalls([get, "--version"], in: directory)
    let calls = try await systemCalls([get, "-q", "-x", "4", url], in: directory)
    #expect(try publication.isComplete(directory.path(Publication.name)))
    let total = try #require(calls["total"]) - (try #require(nothing["total"]))
    #expect(total <= 80 * Self.mebibytes, "\(calls)")
    // Chunks that are neighbours are written together, or there would be four a mebibyte.
    let writes = (calls["pwritev"] ?? 0) + (calls["pwrite64"] ?? 0)
    #expect(writes <= 4 * Self.mebibytes, "\(calls)")
    // Nothing is made durable more than once.
    #expect((calls["fdatasync"] ?? 0) + (calls["fsync"] ?? 0) <= 3, "\(calls)")

    try directory.remove(Publication.name)
    let run = try await GetRun(["-x", "4", url], in: directory)
    // 16 MiB each in the middle, less at the end: about 400 a gibibyte for a file this small.
    #expect(try #require(run.done?.requests) <= 40)
  }
}
