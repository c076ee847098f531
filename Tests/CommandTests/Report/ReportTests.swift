import ChunkTestSupport
import FaultServer
import Testing

/// The page of `--report`: what it says, and that nothing from outside gets out of its place in it.
@Suite(.timeLimit(.minutes(3))) struct ReportTests {
  private static let page = "report.html"

  /// A download from two sources, one of which is wrong at times and refuses at times, both with reasons that are markup.
  private func hostile(_ directory: TemporaryDirectory) async throws -> (run: GetRun, page: String) {
    let publication = try await Publication(count: 60 * (64 << 10))
    let path = "/" + Publication.name
    let refusal = "HTTP/1.1 503 <script>alert(1)</script>\"'&\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    let bad = try publication.server(
      [.on(.path(path), .raw(Array(refusal.utf8)), times: 1)]
        + (0..<30).map { .flip(path, at: UInt64($0 * (64 << 10) + 9)) })
    let good = try publication.server([.on(.path(path), .trickle(bytes: 8 << 10, every: .milliseconds(20)))])
    let url = "http://user:password@127.0.0.1:\(bad.port)\(path)?token=hunter2&x=%3Cb%3E"
    let run = try await GetRun(
      [
        "-x", "4", "--manifest", good.url(path + ".chunks"), "--mirror", good.url(),
        "--report", Self.page, "-o", "<img src=x onerror=alert(2)>.bin", url,
      ], in: directory)
    return (run, String(decoding: try TestFile.read(directory.path(Self.page)), as: UTF8.self))
  }

  /// Parsed by something that forgives nothing.
  private func checkForm(_ path: String) async throws {
    let script = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])"
    let result = try await Subprocess("python3", ["-c", script, path]).run()
    #expect(result.status == 0, "\(result)")
  }

  @Test func `it tells what came when, and is well-formed whatever comes from outside`() async throws {
    let directory = try TemporaryDirectory()
    let (run, page) = try await hostile(directory)
    #expect(run.status == 0, "\(run)")
    try await checkForm(directory.path(Self.page))
    #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("onerror=alert(2)>"))
    #expect(!page.contains("hunter2") && !page.contains("password"))
    #expect(page.contains("&lt;img src=x onerror=alert(2)&gt;.bin"))
    #expect(page.contains("<svg") && page.contains("class=\"s1\""))
    #expect(page.contains("set aside") && page.contains(" was wrong"), "\(page.suffix(3000))")
    #expect(page.contains("default-src 'none'"))
    #expect(page.contains(try #require(run.done?.id)))
    #expect(page.split(separator: "<rect").count < 5000)
    // Nothing is loaded from anywhere.
    #expect(!page.contains("src=\"") && !page.contains("href=") && !page.contains("url("))
  }

  @Test(.enabled(if: Machine.has("chromium-headless-shell"), "chromium-headless-shell is not installed"))
  func `a browser shows it, and runs nothing`() async throws {
    let directory = try TemporaryDirectory()
    _ = try await hostile(directory)
    let shot = directory.path("shot.png")
    var browser = Subprocess(
      "chromium-headless-shell",
      [
        "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--user-data-dir=\(directory.path("profile"))",
        "--window-size=1000,1400", "--screenshot=\(shot)", "--dump-dom", "--enable-logging=stderr",
        "file://\(directory.path(Self.page))",
      ])
    browser.environment["HOME"] = .some(directory.path)
    let result = try await browser.run()
    #expect(result.status == 0, "\(result)")
    #expect(result.outputText.contains("<h1>&lt;img src=x onerror=alert(2)&gt;.bin</h1>"))
    #expect(!result.outputText.contains("<script"))
    #expect(!result.errorText.contains("CONSOLE"), "\(result)")
    #expect(try TestFile.read(shot).prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    #expect(try TestFile.size(shot) > 20_000, "there is something on the picture")
  }

  @Test func `a failure has a page too`() async throws {
    let server = try FaultServer(resources: [:])
    let directory = try TemporaryDirectory()
    let run = try await GetRun(
      ["--retry", "0", "--no-manifest", "--report", Self.page, "-o", "x", server.url("/absent")], in: directory)
    #expect(run.status == 4)
    let page = String(decoding: try TestFile.read(directory.path(Self.page)), as: UTF8.self)
    #expect(page.contains("Not complete (exit code 4)"))
    try await checkForm(directory.path(Self.page))
  }

  @Test(arguments: [["-o", "x"], ["-o", "-"]]) func `what has no chunks, or no file, has one`(output: [String])
    async throws
  {
    let server = try FaultServer(resources: ["/empty": .bytes([])])
    let directory = try TemporaryDirectory()
    let run = try await GetRun(
      ["--no-manifest", "--report", Self.page] + output + [server.url("/empty")], in: directory)
    #expect(run.status == 0, "\(run)")
    try await checkForm(directory.path(Self.page))
  }

  @Test(arguments: ["absent/report.html", ".", "x"])
  func `where it cannot be is known before anything is fetched`(path: String) async throws {
    let server = try FaultServer(resources: ["/x": .bytes([1])])
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["--report", path, server.url("/x")], in: directory)
    #expect([2, 7].contains(run.status), "\(run)")
    #expect(server.recording.requests.isEmpty && run.error != nil)
  }

  @Test func `it belongs to one file`() async throws {
    let run = try await GetRun.program(["--report", "r", "http://127.0.0.1:1/a", "http://127.0.0.1:1/b"]).run()
    #expect(run.status == 2 && run.errorText.contains("--report belongs to one file"), "\(run)")
  }
}
