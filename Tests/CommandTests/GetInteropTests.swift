import ChunkTestSupport
import FaultServer
import Testing

/// Downloads from servers nobody here wrote.
@Suite struct GetInteropTests {
  static let path = "/" + Publication.name

  @Test(.enabled(if: NginxServer.isAvailable, "nginx is not installed"))
  func `nginx: whole, resumed, repaired, complete`() async throws {
    let publication = try await Publication(count: (5 << 20) + 3)
    let server = try NginxServer(.directory(publication.directory.path))
    let directory = try TemporaryDirectory()
    let output = directory.path(Publication.name)
    let whole = try await GetRun(["-x", "3", server.url(Self.path)], in: directory)
    #expect(whole.done?.fetched == publication.content.count, "\(whole) \(server.errorLog)")
    #expect(try publication.isComplete(output))

    try TestFile.flip(output, at: 1_000_000)
    let repaired = try await GetRun([server.url(Self.path)], in: directory)
    #expect(repaired.done?.fetched == publication.chunkSize, "\(repaired)")
    #expect(repaired.done?.discarded == 0)

    let again = try await GetRun([server.url(Self.path)], in: directory)
    #expect(again.done?.requests == 0, "\(again)")

    try TestFile.remove(output)
    try directory.write(Array(publication.content[..<(2 << 20)]), to: Publication.name + ".part")
    let resumed = try await GetRun([server.url(Self.path)], in: directory)
    #expect(resumed.done?.reused == 2 << 20, "\(resumed)")
    #expect(try publication.isComplete(output))

    let piped = try await GetRun(["-o", "-", server.url(Self.path)])
    #expect(piped.result.output.isSame(as: publication.content))
    // Ranges, each with one status and one range; never the whole file where a part was asked for.
    let payload = try await payloadLines(of: server, [])
    #expect(payload.allSatisfy { $0.contains(" 206 ") && $0.contains("\"bytes=") }, "\(payload)")
  }

  @Test(.enabled(if: NginxServer.isAvailable, "nginx is not installed"))
  func `nginx without a manifest: nothing is verified, and it says so`() async throws {
    let publication = try await Publication(count: (5 << 20) + 3)
    try TestFile.remove(publication.directory.path(Publication.name + ".chunks"))
    let server = try NginxServer(.directory(publication.directory.path))
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["-x", "3", server.url(Self.path)], in: directory)
    #expect(run.done?.trust == "none", "\(run)")
    #expect(run.events.contains { $0.event == "notice" && $0.message?.contains("no manifest") == true })
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }

  @Test(.enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"))
  func `nginx with TLS and HTTP/2: by --cacert, over HTTP/1.1`() async throws {
    let publication = try await Publication(count: (3 << 20) + 3)
    let authority = try await ThrowawayCA()
    let server = try NginxServer(.directory(publication.directory.path), scheme: .https(authority))
    let directory = try TemporaryDirectory()
    let trust = ["--cacert", authority.authority]
    let arguments = trust + ["-x", "4", server.url(Self.path)]
    let run = try await GetRun(arguments, in: directory)
    #expect(run.done?.trust == "origin", "\(run) \(server.errorLog)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
    let payload = try await payloadLines(of: server, trust)
    #expect(!payload.isEmpty && payload.allSatisfy { $0.hasSuffix("HTTP/1.1") }, "\(payload)")
    let strict = try await GetRun(["--require-verified"] + arguments, in: directory)
    #expect(strict.status == 0)
    let piped = try await GetRun(["-o", "-"] + arguments)
    #expect(piped.result.output.isSame(as: publication.content))
  }

  @Test(.enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"))
  func `nginx that misdirects HTTP/1.1 is asked over HTTP/2, whole and resumed`() async throws {
    let publication = try await Publication(count: (3 << 20) + 3)
    let authority = try await ThrowawayCA()
    let server = try NginxServer(.directory(publication.directory.path), scheme: .http2Only(authority))
    let directory = try TemporaryDirectory()
    let trust = ["--cacert", authority.authority]
    let run = try await GetRun(trust + ["-x", "4", server.url(Self.path)], in: directory)
    #expect(run.done?.trust == "origin", "\(run) \(server.errorLog)")
    #expect(try publication.isComplete(directory.path(Publication.name)))

    try TestFile.remove(directory.path(Publication.name))
    try directory.write(Array(publication.content[..<(1 << 20)]), to: Publication.name + ".part")
    let resumed = try await GetRun(trust + [server.url(Self.path)], in: directory)
    #expect(resumed.done?.reused == 1 << 20, "\(resumed)")
    #expect(try publication.isComplete(directory.path(Publication.name)))

    let payload = try await payloadLines(of: server, trust)
    #expect(payload.contains { $0.hasSuffix("HTTP/2.0") && $0.contains(" 206 ") })
    #expect(payload.allSatisfy { $0.hasSuffix("HTTP/2.0") || $0.contains(" 421 ") }, "\(payload)")
  }

  @Test(.enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"))
  func `TLS of an authority nobody trusts is refused, and the message says how to trust it`() async throws {
    let publication = try await Publication(count: 100_000)
    let authority = try await ThrowawayCA()
    let server = try NginxServer(.directory(publication.directory.path), scheme: .https(authority))
    let directory = try TemporaryDirectory()
    let run = try await GetRun([server.url(Self.path)], in: directory)
    #expect(run.status == 4)
    #expect(run.error?.message?.contains("--cacert") == true, "\(run)")
    #expect(try directory.names().isEmpty)
    let other = try await GetRun(["--cacert", authority.certificate, server.url(Self.path)], in: directory)
    #expect(other.status == 4 || other.status == 0, "\(other)")
    let absent = try await GetRun(["--cacert", "absent.pem", server.url(Self.path)], in: directory)
    #expect(absent.status != 0 && absent.error?.message?.contains("absent.pem") == true, "\(absent)")
  }

  @Test(
    .enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"),
    arguments: [true, false])
  func `nginx with a store: every chunk by its name, over HTTP/2 where there is nothing else too`(isHTTP2Only: Bool)
    async throws
  {
    let publication = try await Publication(count: (6 << 20) + 3, chunkSize: 16 << 10)
    let site = publication.directory
    let exported = try await chunkmanifest("export-store", Publication.name, "store", in: site)
    try #require(exported.end == .exited(0), "\(exported)")
    try TestFile.remove(site.path(Publication.name))
    let authority = try await ThrowawayCA()
    let server = try NginxServer(
      .directory(site.path), scheme: isHTTP2Only ? .http2Only(authority) : .https(authority))
    let directory = try TemporaryDirectory()
    let run = try await GetRun(
      ["--cacert", authority.authority, "--chunk-store", server.url("/store"), server.url(Self.path)], in: directory)
    #expect(run.done?.fetched == publication.content.count, "\(run) \(server.errorLog)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
    #expect(run.done?.sources?.allSatisfy(\.wrongChunks.isEmpty) == true, "\(run)")
    let objects = try await payloadLines(of: server, ["--cacert", authority.authority], at: "/store/chunks/")
      .filter { $0.contains(" 200 ") }
    // One that is late on a busy machine may be raced; the loser's line tells of fewer bytes.
    let names = Set(objects.map { $0.split(separator: " ")[1] })
    #expect(names.count == 385 && objects.count < 400, "\(names.count), \(objects.count)")
    if isHTTP2Only { #expect(objects.allSatisfy { $0.hasSuffix("HTTP/2.0") }, "\(objects.prefix(3))") }
  }

  @Test(.enabled(if: PythonHTTPServer.isAvailable, "python3 is not installed"))
  func `python ignores ranges: a resume passes over what is right and completes`() async throws {
    let publication = try await Publication(count: (3 << 20) + 3)
    let server = try await PythonHTTPServer(directory: publication.directory.path)
    let directory = try TemporaryDirectory()
    let kept = 20 * publication.chunkSize
    var partial = Array(publication.content[..<kept])
    partial[5 * publication.chunkSize] ^= 1
    try directory.write(partial, to: Publication.name + ".part")
    let run = try await GetRun([server.url(Self.path)], in: directory)
    let done = try #require(run.done, "\(run)")
    #expect(done.reused == kept - publication.chunkSize)
    #expect(done.fetched == publication.content.count - kept + publication.chunkSize)
    #expect(try publication.isComplete(directory.path(Publication.name)))
    let piped = try await GetRun(["-o", "-", server.url(Self.path)])
    #expect(piped.result.output.isSame(as: publication.content), "\(piped)")
  }

  /// What the server has logged of requests for the file. A last request, for something else, tells where the log is
  /// complete: the one worker writes a line when a request ends, and takes up another one after that.
  private func payloadLines(
    of server: NginxServer, _ arguments: [String], at path: String = Self.path + " "
  ) async throws -> [String] {
    let last = try await GetRun(arguments + ["--no-manifest", "-o", "-", server.url("/last")])
    #expect(last.status == 4, "\(last)")
    var lines: [String] = []
    for await line in server.log {
      if line.contains(" /last ") { break }
      if line.hasPrefix("GET \(path)") { lines.append(line) }
    }
    return lines
  }
}
