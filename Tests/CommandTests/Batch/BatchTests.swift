import ChunkTestSupport
import FaultServer
import Testing

/// Several files: in which order, over how many connections, and what is told at the end.
@Suite struct BatchTests {
  /// A thousand small files, of which every hundredth is missing and one comes broken.
  @Test(.timeLimit(.minutes(5)))
  func `a thousand URLs, some failing: the summary is right, and what is used is bounded`() async throws {
    let files = 1000
    var resources: [String: Resource] = [:]
    for number in 0..<files where number % 100 != 50 { resources["/f\(number)"] = .bytes(content(number)) }
    let server = try FaultServer(
      resources: resources, script: FaultScript([.on(.path("/f777"), .cut(after: 1, .reset))]))
    let directory = try TemporaryDirectory()
    let list = (0..<files).map { server.url("/f\($0)") }.joined(separator: "\n")
    try directory.write(Array(list.utf8), to: "list")
    let program = GetRun.program(
      ["--progress", "json", "--retry", "0", "--no-manifest", "-j", "8", "--continue-on-error", "-i", "list"])
    var bounded = Subprocess("python3", ["-c", Self.measuring, program.executable] + program.arguments)
    bounded.environment = program.environment
    bounded.directory = directory.path
    let run = try await GetRun(ended: bounded.start())

    let summary = try #require(run.events.last)
    #expect(run.status == 4 && summary.status == 4)
    #expect([summary.files, summary.right, summary.failed, summary.skipped] == [1000, 989, 11, 0])
    #expect(summary.failures?.count == 10, "the first ones are named")
    #expect(run.events.filter { $0.event == "error" }.count == 11)
    #expect(try directory.names().filter { $0.hasPrefix("f") && !$0.contains(".part") }.count == 989)
    for number in [0, 1, 499, 999] {
      #expect(try TestFile.read(directory.path("f\(number)")).isSame(as: content(number)))
    }
    #expect(Set(server.recording.requests.map(\.path)).count == files, "every file was asked for")
    #expect(server.recording.mostActiveRequests <= 16)
    #expect(server.recording.mostConnections <= 16)
    #expect(server.recording.connections < files / 2, "files go over connections that others have opened")
    let peak = try #require(Int(String(decoding: try TestFile.read(directory.path("peak")), as: UTF8.self)))
    #expect(peak < 96 << 10, "\(peak) KiB")
  }

  /// Runs a program with a limit that even a few leaked descriptors would exceed, and writes to `peak` how much memory it had
  /// at most. What the kernel says of a child of the tests begins with what they had themselves.
  private static let measuring = """
    import resource, subprocess, sys
    resource.setrlimit(resource.RLIMIT_NOFILE, (128, 128))
    status = subprocess.run(sys.argv[1:]).returncode
    open("peak", "w").write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
    sys.exit(status)
    """

  private func content(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100 + number)
  }

  @Test(arguments: [(jobs: 4, flags: [], most: 16), (4, ["-x", "6"], 6), (8, ["-x", "3"], 3), (1, ["-x", "2"], 2)])
  func `all files together keep to the ceilings`(jobs: Int, flags: [String], most: Int) async throws {
    let publication = try await Publication(count: 8 << 20)
    let path = "/" + Publication.name
    let gate = Gate()
    // Nothing of a file comes before as many requests are open as ever will be.
    let server = try publication.server([.on(.path(path), .holdHead(.gate(gate)))])
    let directory = try TemporaryDirectory()
    let list = (0..<8).map { "\(server.url())\n  out=f\($0)\n" }.joined()
    try directory.write(Array(list.utf8), to: "list")
    let started = try GetRun.start(["-j", "\(jobs)"] + flags + ["-i", "list"], in: directory)
    let atOnce = min(jobs, most)
    try await server.waitUntil { $0.held >= atOnce }
    #expect(server.recording.held <= most)
    gate.open()
    let run = try await GetRun(ended: started)
    #expect(run.status == 0, "\(run)")
    #expect(server.recording.mostActiveRequests <= most)
    for number in 0..<8 { #expect(try publication.isComplete(directory.path("f\(number)"))) }
    let starts = run.events.filter { ["start", "done"].contains($0.event) }
    var open = 0
    for event in starts {
      open += event.event == "start" ? 1 : -1
      #expect(open <= atOnce)
    }
  }

  @Test func `a failure keeps others from being begun, and lets those end that are`() async throws {
    let gate = Gate()
    let server = try FaultServer(
      resources: ["/slow": .bytes([1]), "/c": .bytes([3]), "/d": .bytes([4])],
      script: FaultScript([.on(.path("/slow") && .method("GET"), .holdBody(.gate(gate)))]))
    let directory = try TemporaryDirectory()
    let urls = ["/slow", "/absent", "/c", "/d"].map { server.url($0) }
    let started = try GetRun.start(["--retry", "0", "--no-manifest"] + urls, in: directory)
    _ = await started.errorLines.first { $0.contains("\"error\"") }
    gate.open()
    let run = try await GetRun(ended: started)
    #expect(run.status == 4)
    let summary = try #require(run.events.last)
    #expect([summary.files, summary.right, summary.failed, summary.skipped] == [4, 1, 1, 2])
    #expect(try directory.names() == ["slow"])
    #expect(server.recording.requests(to: "/c").isEmpty && server.recording.requests(to: "/d").isEmpty)
  }

  @Test func `the code is that of the failure that came first`() async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1])])
    let directory = try TemporaryDirectory()
    let zeros = String(repeating: "0", count: 64)
    let list = "\(server.url("/a"))\n checksum=sha-256=\(zeros)\n\(server.url("/absent"))\n"
    let flags = ["-j", "1", "--retry", "0", "--continue-on-error", "--no-manifest"]
    let run = try await Subprocess.get(list, flags, in: directory)
    #expect(run.status == 3)
    #expect(run.errorText.contains("chunkget: failed: a: "), "\(run)")
    #expect(run.errorText.contains("chunkget: failed: absent: "), "\(run)")
    #expect(run.errorText.contains("0 of 2 files right, 2 failed; "), "\(run)")
  }

  @Test func `an interruption ends all that are under way and begins no more`() async throws {
    let gate = Gate()
    let server = try FaultServer(
      resources: ["/a": .bytes([1]), "/b": .bytes([2]), "/c": .bytes([3])],
      script: FaultScript([.on(.any, .holdHead(.gate(gate)))]))
    let directory = try TemporaryDirectory()
    let started = try GetRun.start(["--no-manifest"] + ["/a", "/b", "/c"].map { server.url($0) }, in: directory)
    try await server.waitUntil { $0.held == 2 }
    started.kill(2)
    let run = try await GetRun(ended: started)
    #expect(run.status == 130)
    #expect(run.events.last?.skipped == 1)
    #expect(server.recording.requests(to: "/c").isEmpty)
  }

  @Test func `patterns make URLs and names`() async throws {
    let server = try FaultServer(resources: [
      "/x1": .bytes([1]), "/x2": .bytes([2]), "/y1": .bytes([3]), "/y2": .bytes([4]),
    ])
    let directory = try TemporaryDirectory()
    let run = try await GetRun(["--glob", "-o", "n#2-#1", server.origin + "/{x,y}[1-2]"], in: directory)
    #expect(run.status == 0, "\(run)")
    #expect(try directory.names() == ["n1-x", "n1-y", "n2-x", "n2-y"])
    #expect(try TestFile.read(directory.path("n2-x")) == [2])
    let clash = try await GetRun.program(["--glob", "-o", "n#1", server.origin + "/{x,y}[1-2]"], in: directory).run()
    #expect(clash.status == 2 && clash.errorText.contains("in the way of"), "\(clash)")
    let literal = try await GetRun.program(["--retry", "0", server.origin + "/x[1-2]"], in: directory).run()
    #expect(literal.status != 0, "without the flag brackets are brackets")
  }

  @Test func `without JSON each file has one line`() async throws {
    let server = try FaultServer(resources: ["/a": .bytes([1]), "/b": .bytes([2])])
    let directory = try TemporaryDirectory()
    let urls = [server.url("/a"), server.url("/b")]
    let run = try await GetRun.program(["--no-manifest", "-j", "1"] + urls, in: directory).run()
    let lines = run.errorLines.filter { !$0.hasPrefix("chunkget: ") }
    #expect(lines.count == 3, "\(run)")
    #expect(lines[0].hasPrefix("a: NOT verified; fetched 1 B"), "\(run)")
    #expect(lines[2] == "2 of 2 files right; 2 B, of which 2 B were fetched", "\(run)")
  }
}
