import ChunkTestSupport
import FaultServer
import Glibc
import Testing

/// Where the file goes: standard output, a directory, a name from a URL that may be meant to deceive.
@Suite struct GetOutputTests {
  @Test func `standard output gets the bytes in order`() async throws {
    let publication = try await Publication(count: (3 << 20) + 77)
    let server = try publication.server()
    let run = try await GetRun(["-x", "8", "-o", "-", server.url()])
    #expect(run.status == 0)
    #expect(run.result.output.isSame(as: publication.content))
    #expect(run.done?.output == nil)
  }

  @Test func `the empty file goes to standard output too`() async throws {
    let publication = try await Publication(count: 0)
    let server = try publication.server()
    let run = try await GetRun(["-o", "-", server.url()])
    #expect(run.status == 0)
    #expect(run.result.output.isEmpty)
    #expect(run.done?.bytes == 0)
    #expect(server.recording.requests(to: "/" + Publication.name).isEmpty)
  }

  @Test(arguments: [2, 15] as [CInt]) func `waiting for somebody to read a FIFO ends when that is wanted`(signal: CInt)
    async throws
  {
    let publication = try await Publication(count: 200_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    #expect(unsafe mkfifo(directory.path("fifo"), 0o600) == 0)
    let process = try GetRun.start(["-o", "fifo", server.url()], in: directory)
    // It has the manifest, and opens its output next.
    try await server.waitUntil { $0.finished == 1 }
    process.kill(signal)
    let run = try await GetRun(ended: process)
    #expect(run.status == 128 + Int(signal) || run.result.end == .signalled(signal), "\(run)")
    #expect(run.result.output.isEmpty)
  }

  @Test(arguments: ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
  func `a link to standard output is standard output, also where that is a file`(name: String) async throws {
    let publication = try await Publication(count: 200_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let get = GetRun.program(["-q", "-o", name, server.url()], in: directory)
    var shell = get
    shell.executable = "/bin/sh"
    shell.arguments = ["-c", "exec \"$0\" \"$@\" > file", get.executable] + get.arguments
    let result = try await shell.run()
    #expect(result.status == 0, "\(result)")
    #expect(try publication.isComplete(directory.path("file")))
    #expect(try directory.names() == ["file"])
  }

  @Test func `a wrong chunk is healed before it reaches standard output`() async throws {
    let publication = try await Publication(count: 2 << 20)
    let server = try publication.server([.flip("/" + Publication.name, at: 100_000, times: 1)])
    let run = try await GetRun(["-o", "-", server.url()])
    #expect(run.status == 0)
    #expect(run.result.output.isSame(as: publication.content))
    #expect(run.done?.sources?.first?.wrongChunks == [1])
  }

  @Test func `what nobody can vouch for goes to standard output only on demand`() async throws {
    let publication = try await Publication(count: 200_000)
    let server = try publication.server([.on(.path("/" + Publication.name + ".chunks"), .status(404))])
    let refused = try await GetRun(["-o", "-", server.url()])
    #expect(refused.status != 0)
    #expect(refused.result.output.isEmpty)
    #expect(refused.error?.message?.contains("--no-manifest") == true, "\(refused)")
    let wanted = try await GetRun(["-o", "-", "--no-manifest", server.url()])
    #expect(wanted.status == 0)
    #expect(wanted.result.output.isSame(as: publication.content))
  }

  @Test func `a directory and the name of the URL`() async throws {
    let publication = try await Publication(count: 100_000)
    let directory = try TemporaryDirectory()
    try TestFile.makeDirectory(directory.path("in"))
    let server = try publication.server()
    let run = try await GetRun(["-d", "in", server.url()], in: directory)
    #expect(run.done?.output == "in/" + Publication.name, "\(run)")
    #expect(try publication.isComplete(directory.path("in/" + Publication.name)))
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072])
  func `lengths at the edges of chunks`(length: Int) async throws {
    let publication = try await Publication(count: length)
    let directory = try TemporaryDirectory()
    let server = try publication.server()
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.done?.bytes == length, "\(run)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
    let piped = try await GetRun(["-o", "-", server.url()])
    #expect(piped.status == 0 && piped.result.output.isSame(as: publication.content), "\(piped)")
  }

  @Test(
    arguments: [
      "/..%2fescaped", "/%2e%2e%2fescaped", "/%2e%2e", "/a/%2e", "/a/..", "/", "/a/", "/x%00y", "/x%0ay",
      "/%2fetc%2fescaped",
      "/" + String(repeating: "n", count: 243), "/" + String(repeating: "%C3%A4", count: 122),
    ])
  func `a name that could leave the directory is refused`(path: String) async throws {
    let outside = try TemporaryDirectory()
    try TestFile.makeDirectory(outside.path("inside"))
    let publication = try await Publication(count: 1000)
    let server = try publication.server([.on(.any, .serve(.bytes(publication.content)))])
    var program = GetRun.program(["--progress", "json", "--no-manifest", server.url(path)])
    program.directory = outside.path("inside")
    let result = try await program.run()
    #expect(result.status == 2, "\(result)")
    #expect(result.errorText.contains("-o"), "\(result)")
    #expect(try outside.names() == ["inside"])
    #expect(try TestFile.names(in: outside.path("inside")).isEmpty)
    #expect(server.recording.requests.isEmpty)
  }

  @Test(
    arguments: [
      ("/a%20b", "a b"), ("/%C3%A4", "ä"), ("/d/..%41", "..A"), ("/-x", "-x"), ("/a?name=../b#c", "a"),
      ("/.hidden", ".hidden"),
      ("/" + String(repeating: "n", count: 242), String(repeating: "n", count: 242)),
    ])
  func `a harmless name is taken as it is`(path: String, name: String) async throws {
    let publication = try await Publication(count: 1000)
    let server = try publication.server([.on(.any, .serve(.bytes(publication.content)))])
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["--no-manifest", server.url(path)], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(try directory.names() == [name])
  }

  @Test func `habits of fingers change nothing`() async throws {
    let publication = try await Publication(count: 100_000)
    let directory = try TemporaryDirectory()
    let server = try publication.server()
    let result = try await GetRun.program(
      ["-L", "-O", "-C", "-", "-c", "-f", "-s", server.url()], in: directory
    ).run()
    #expect(result.status == 0)
    #expect(result.errorText == "" && result.output.isEmpty, "-s is -q: \(result)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }

  @Test func `quiet says nothing but errors`() async throws {
    let publication = try await Publication(count: 100_000)
    let directory = try TemporaryDirectory()
    let server = try publication.server()
    let result = try await GetRun.program(["-q", server.url()], in: directory).run()
    #expect(result.status == 0 && result.errorText == "" && result.output.isEmpty, "\(result)")
    let failure = try await GetRun.program(["-q", "--retry", "0", server.url("/absent")], in: directory).run()
    #expect(failure.status == 4 && failure.errorLines.count == 1, "\(failure)")
  }

  @Test func `a link at the name is replaced and not followed`() async throws {
    let publication = try await Publication(count: 100_000)
    let directory = try TemporaryDirectory()
    try directory.write([1, 2, 3], to: "elsewhere")
    try TestFile.link(directory.path(Publication.name), to: "elsewhere")
    let server = try publication.server()
    let run = try await GetRun([server.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(try TestFile.read(directory.path("elsewhere")) == [1, 2, 3])
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }
}
