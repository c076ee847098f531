import ChunkTestSupport
import CommandSupport
import FaultServer
import Testing

/// What is on the screen of a terminal while a download runs.
@Suite(.enabled(if: TmuxScreen.isAvailable, "tmux is not installed"), .timeLimit(.minutes(2)))
struct TerminalTests {
  private func screen(
    _ download: HalfwayDownload, _ flags: [String] = ["-v"], columns: Int, environment: [String: String?] = [:]
  ) async throws -> TmuxScreen {
    var program = GetRun.program(flags + download.arguments, in: download.directory)
    program.environment.merge(["LC_ALL": "C.UTF-8", "NO_COLOR": nil]) { $1 }
    program.environment.merge(environment) { $1 }
    return try await TmuxScreen(program, columns: columns)
  }

  private static let map = String(repeating: "█", count: 8) + String(repeating: "▒", count: 8)

  @Test(arguments: [40, 80, 200])
  func `a line, the sources and a map, whatever the width`(columns: Int) async throws {
    let download = try await HalfwayDownload()
    let screen = try await screen(download, columns: columns)
    let lines = try await screen.lines { $0.contains("  " + Self.map) }
    let line = try #require(lines.first { $0.hasPrefix(HalfwayDownload.name) })
    #expect(line.contains(" 50%"))
    if columns >= 80 {
      #expect(line.contains("512 KiB of 1.00 MiB") && line.contains("1 connection"))
    }
    if columns == 200 { #expect(line.contains("[███████████████████                   ]")) }
    let source = try #require(lines.first { $0.contains("1 open") })
    #expect(source.contains("http://"))
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
    download.gate.open()
    let end = try await screen.lines { $0.contains { $0.hasPrefix("fetched 1.00 MiB") } }
    #expect(end.filter { $0.contains("100%") }.count == 1)
    #expect(!end.contains { $0.contains("▒") || $0.contains("░") }, "what was redrawn is gone")
  }

  @Test(arguments: [50, 36, 90])
  func `it follows the width of the window`(columns: Int) async throws {
    // A window that becomes another one between a look at its width and the drawing keeps a line too many: that is chance.
    var isRedrawn = false
    for _ in 0..<4 where !isRedrawn { isRedrawn = try await redraws(in: columns) }
    #expect(isRedrawn)
  }

  /// Whether lines that are wrapped by another width are counted and drawn over, so that of each there is one.
  private func redraws(in columns: Int) async throws -> Bool {
    let download = try await HalfwayDownload()
    let screen = try await screen(download, columns: 120)
    _ = try await screen.lines { $0.contains("  " + Self.map) }
    try await screen.resize(columns: columns)
    var looks = 0
    let lines = try await screen.lines { lines in
      looks += 1
      return looks == 100 || ["open", "50%"].allSatisfy { text in lines.count { $0.contains(text) } == 1 }
    }
    #expect(lines.allSatisfy { TextWidth.columns(of: $0) <= columns })
    download.gate.open()
    _ = try await screen.lines { $0.contains { $0.hasPrefix("fetched 1.00 MiB".prefix(columns)) } }
    return looks < 100
  }

  @Test func `without UTF-8 it is drawn in ASCII`() async throws {
    let download = try await HalfwayDownload()
    let screen = try await screen(download, columns: 100, environment: ["LC_ALL": "C"])
    let lines = try await screen.lines { $0.contains("  ########>>>>>>>>") }
    #expect(lines.contains { $0.contains("[=====") })
    download.gate.open()
  }

  @Test(arguments: [(nil, true), ("1", false), ("", true)] as [(String?, Bool)])
  func `colours are for those who did not say no`(noColor: String?, isColored: Bool) async throws {
    let download = try await HalfwayDownload()
    let screen = try await screen(download, columns: 100, environment: ["NO_COLOR": noColor])
    let lines = try await screen.lines(isColored: true) { $0.contains { $0.contains("▒▒▒▒▒▒▒▒") } }
    #expect(lines.joined().contains("\u{1B}[") == isColored)
    download.gate.open()
  }

  @Test func `several files have a line each, and one for all`() async throws {
    let download = try await HalfwayDownload()
    let path = "/" + Publication.name
    let list = ["a", "b", "c"].map { "\(download.server.origin)\(path)\n  out=\($0)\n" }.joined()
    try download.directory.write(Array(list.utf8), to: "list")
    let program = GetRun.program(["-x", "2", "-i", "list"], in: download.directory)
    let screen = try await TmuxScreen(program, columns: 90)
    let lines = try await screen.lines { lines in
      lines.contains { $0.hasPrefix("a ") && $0.contains("50%") }
        && lines.contains { $0.hasPrefix("b ") && $0.contains("50%") }
    }
    #expect(lines.last == "0 of 3 files done")
    download.gate.open()
    let end = try await screen.lines { $0.last?.hasPrefix("3 of 3 files right") == true }
    #expect(end.filter { $0.contains("%") }.isEmpty, "\(end)")
  }

  @Test(arguments: [["TERM": "dumb"], [:]] as [[String: String?]])
  func `where nothing can be redrawn nothing is`(environment: [String: String?]) async throws {
    let download = try await HalfwayDownload()
    download.gate.open()
    if environment.isEmpty {
      let run = try await GetRun.program(["-v"] + download.arguments, in: download.directory).run()
      #expect(!run.errorText.contains("\r") && !run.errorText.contains("\u{1B}"), "\(run)")
      // A log says how far the bytes are to be trusted, as the last line on a terminal does.
      #expect(run.errorText.contains(": verified, manifest without TLS; fetched 1.00 MiB"), "\(run)")
      return
    }
    let screen = try await screen(download, columns: 80, environment: environment)
    let end = try await screen.lines { $0.joined().contains("; fetched 1.00 MiB") }
    #expect(!end.contains { $0.contains("%") })
  }
}
