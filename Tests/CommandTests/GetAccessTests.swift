import ChunkTestSupport
import FaultServer
import Testing

/// What people need to reach their servers, as the servers see it; and who does not get to see it.
@Suite struct GetAccessTests {
  static let path = "/" + Publication.name
  static let secrets = ["-H", "X-Team: blue-secret", "-u", "me:pass-secret", "-b", "session=cookie-secret"]

  private func isLetIn(_ request: RecordedRequest) -> Bool {
    request.header("X-Team") == "blue-secret" && request.header("Cookie") == "session=cookie-secret"
      // me:pass-secret
      && request.header("Authorization") == "Basic bWU6cGFzcy1zZWNyZXQ="
  }

  private func isAnonymous(_ request: RecordedRequest) -> Bool {
    ["X-Team", "Cookie", "Authorization"].allSatisfy { request.header($0) == nil }
  }

  @Test func `manifest and payload are asked for with what the user gave`() async throws {
    let publication = try await Publication(count: 300_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    let run = try await GetRun(Self.secrets + ["-A", "tester/1", "-x", "2", server.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    let requests = server.recording.requests
    #expect(requests.count >= 2)
    #expect(requests.allSatisfy { isLetIn($0) && $0.header("User-Agent") == "tester/1" })
  }

  @Test func `without a manifest too`() async throws {
    let publication = try await Publication(count: 300_000)
    let server = try publication.server()
    for arguments in [["-o", "out"], ["-o", "-"]] {
      let run = try await GetRun(
        Self.secrets + ["--no-manifest"] + arguments + [server.url()], in: try TemporaryDirectory())
      #expect(run.status == 0, "\(run)")
    }
    #expect(server.recording.requests.allSatisfy(isLetIn))
  }

  @Test func `mirrors, and servers that redirects lead to, get nothing of it`() async throws {
    let publication = try await Publication(count: 2 << 20)
    let other = try publication.server()
    let origin = try publication.server([.on(.path(Self.path), .redirect(302, to: other.url()))])
    let mirror = try publication.server([.on(.any, .setHeader("X-Mirror", "1"))])
    let directory = try TemporaryDirectory()
    let run = try await GetRun(Self.secrets + ["--mirror", mirror.url(), "-x", "4", origin.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(origin.recording.requests.allSatisfy(isLetIn))
    #expect(!other.recording.requests.isEmpty && other.recording.requests.allSatisfy(isAnonymous))
    #expect(!mirror.recording.requests.isEmpty && mirror.recording.requests.allSatisfy(isAnonymous))
  }

  @Test(arguments: ["json", "bar"]) func `no secret is ever shown`(progress: String) async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server([.on(.path(Self.path), .status(500))])
    let url = server.url().replacing("http://", with: "http://user:url-secret@") + "?X-Amz-Signature=query-secret"
    let arguments = Self.secrets + ["-v", "--progress", progress, "--retry", "0", "-U", "p:proxy-secret", url]
    let directory = try TemporaryDirectory()
    let result = try await GetRun.program(arguments, in: directory).run()
    #expect(result.status == 4)
    #expect(!result.errorText.isEmpty)
    #expect(!(result.errorText + result.outputText).contains("secret"), "\(result)")
  }

  @Test func `a netrc file is looked into`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    let directory = try TemporaryDirectory()
    try directory.write(Array("machine 127.0.0.1 login me password pass-secret\n".utf8), to: "netrc")
    let run = try await GetRun(["--netrc-file", "netrc", server.url()], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(server.recording.requests.allSatisfy { $0.header("Authorization") == "Basic bWU6cGFzcy1zZWNyZXQ=" })
  }

  // MARK: Ways

  private func port(of server: FaultServer) throws -> String {
    String(try #require(server.url("").split(separator: ":").last))
  }

  @Test func `a host is where --resolve says`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    let port = try port(of: server)
    let url = "http://files.test:\(port)\(Self.path)"
    let resolve = ["--resolve", "files.test:\(port):127.0.0.1"]
    let run = try await GetRun(resolve + ["-4", url], in: try TemporaryDirectory())
    #expect(run.status == 0, "\(run)")
    #expect(server.recording.requests.allSatisfy { $0.header("Host") == "files.test:\(port)" })
    // It has no other address.
    let six = try await GetRun(resolve + ["-6", "--retry", "0", url], in: try TemporaryDirectory())
    #expect(six.status == 4, "\(six)")
  }

  @Test func `a proxy is asked for everything`() async throws {
    let publication = try await Publication(count: 100_000)
    let proxy = try publication.server()
    let directory = try TemporaryDirectory()
    var program = GetRun.program(
      ["-q", "--proxy", proxy.url(""), "-U", "p:pass", "http://files.invalid\(Self.path)"], in: directory)
    program.environment["no_proxy"] = ""
    let result = try await program.run()
    #expect(result.status == 0, "\(result)")
    #expect(proxy.recording.requests.count >= 2)
    #expect(
      proxy.recording.requests.allSatisfy {
        $0.header("Host") == "files.invalid" && $0.header("Proxy-Authorization") == "Basic cDpwYXNz"
      })
    program.environment["http_proxy"] = proxy.url("")
    program.arguments = ["-q", "--proxy", "", "--retry", "0", "http://files.invalid\(Self.path)"]
    let direct = try await program.run()
    #expect(direct.status == 4, "'' is no proxy, whatever the environment says: \(direct)")
  }

  @Test(.enabled(if: NginxServer.isAvailable, "nginx is not installed"))
  func `a Unix socket stands for the server`() async throws {
    let publication = try await Publication(count: 100_000)
    let home = try TemporaryDirectory()
    let server = try NginxServer(.directory(publication.directory.path), extra: "listen unix:\(home.path("socket"));")
    let directory = try TemporaryDirectory()
    // The socket is there once the server answers.
    let first = try await GetRun([server.url(Self.path)], in: try TemporaryDirectory())
    #expect(first.status == 0, "\(first)")
    let run = try await GetRun(
      ["--unix-socket", home.path("socket"), "http://files.invalid\(Self.path)"], in: directory)
    #expect(run.status == 0, "\(run) \(server.errorLog)")
    #expect(try publication.isComplete(directory.path(Publication.name)))
  }

  @Test func `an interface that is not there is named`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server()
    let right = try await GetRun(["--interface", "127.0.0.1", server.url()], in: try TemporaryDirectory())
    #expect(right.status == 0, "\(right)")
    let wrong = try await GetRun(
      ["--interface", "nosuch0", "--retry", "0", server.url()], in: try TemporaryDirectory())
    #expect(wrong.status == 4)
    #expect(wrong.error?.message?.contains("nosuch0") == true, "\(wrong)")
  }

  @Test func `redirects are followed as often as is allowed`() async throws {
    let publication = try await Publication(count: 100_000)
    let server = try publication.server([.on(.path("/old"), .redirect(301, to: Self.path))])
    let options = ["--manifest", server.url(Self.path + ".chunks"), "--retry", "0"]
    let one = try await GetRun(options + ["--max-redirs", "1", server.url("/old")], in: try TemporaryDirectory())
    #expect(one.status == 0, "\(one)")
    let none = try await GetRun(options + ["--max-redirs", "0", server.url("/old")], in: try TemporaryDirectory())
    #expect(none.status == 4)
    #expect(none.error?.message?.contains("redirects more than 0 times") == true, "\(none)")
  }

  @Test(.enabled(if: NginxServer.isAvailable && ThrowawayCA.isAvailable, "nginx or openssl is not installed"))
  func `a server that takes nothing but HTTP/2 is given up when that is not wanted`() async throws {
    let publication = try await Publication(count: 100_000)
    let authority = try await ThrowawayCA()
    let server = try NginxServer(.directory(publication.directory.path), scheme: .http2Only(authority))
    let arguments = ["--cacert", authority.authority, "--retry", "0", server.url(Self.path)]
    let run = try await GetRun(["--http1.1"] + arguments, in: try TemporaryDirectory())
    #expect(run.status == 4, "\(run)")
    #expect(run.error?.message?.contains("421") == true, "\(run)")
  }

  // MARK: What makes no sense

  @Test(arguments: [
    (["-H", "no colon"], "Name: value"), (["-H", "Range: bytes=0-1"], "decided here"),
    (["-H", "A: b\nC: d"], "line break"),
    (["-H", "@file"], "-H of its own"), (["-b", "jar.txt"], "name=value"), (["-u", "a\u{7}:b"], "cannot be sent"),
    (["--resolve", "host"], "HOST:PORT:ADDRESS"), (["--max-redirs", "-1"], "max-redirs"),
  ])
  func `what cannot be sent is refused before anything is asked`(arguments: [String], says: String) async throws {
    let server = try await Publication(count: 100_000).server()
    let directory = try TemporaryDirectory()
    let result = try await GetRun.program(arguments + [server.url()], in: directory).run()
    #expect(result.status == 2, "\(result)")
    #expect(result.errorText.contains(says), "\(result)")
    #expect(server.recording.requests.isEmpty)
  }
}
