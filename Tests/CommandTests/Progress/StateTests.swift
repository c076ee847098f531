import ChunkTestSupport
import FaultServer
import Testing

/// Asking a download how far it is: by a signal while it runs, and with `chunkget status` at any time.
@Suite(.timeLimit(.minutes(2))) struct StateTests {
  private static let userSignal: CInt = 10
  private static let map = String(repeating: "#", count: 8)

  private func status(_ words: [String], in directory: TemporaryDirectory) async throws -> ProcessResult {
    var program = GetRun.program(["status"] + words, in: directory)
    program.environment["LC_ALL"] = .some("C")
    return try await program.run()
  }

  @Test func `SIGUSR1 has the state told, and changes nothing`() async throws {
    let download = try await HalfwayDownload()
    let process = try await download.start()
    process.kill(Self.userSignal)
    let last = await process.errorLines.first { $0.contains("\"state\"") && ($0.contains("▒") || $0.contains(">")) }
    let event = try GetEvent(try #require(last))
    #expect(event.message == "  " + Self.map + ">>>>>>>>" || event.message?.contains("████████▒▒▒▒▒▒▒▒") == true)
    download.gate.open()
    let run = try await GetRun(ended: process)
    #expect(run.status == 0)
    let told = run.events.filter { $0.event == "state" }.compactMap(\.message)
    #expect(told.first?.hasPrefix("half.bin: 512 KiB of 1.00 MiB (50%)") == true, "\(told)")
    #expect(told.contains { $0.contains(download.server.url()) })
  }

  @Test func `also without JSON, and when nothing is to be said`() async throws {
    let download = try await HalfwayDownload()
    let process = try GetRun.program(["-q"] + download.arguments, in: download.directory).start()
    try await download.server.waitUntil { $0.held == 1 }
    // Until it has begun there is nothing to see.
    var told: String?
    while told == nil {
      process.kill(Self.userSignal)
      told = await process.errorLines.first { _ in true }.flatMap { $0.isEmpty ? nil : $0 }
    }
    download.gate.open()
    #expect(await process.result.status == 0)
  }

  @Test func `status shows what a download has that was killed`() async throws {
    let download = try await HalfwayDownload()
    let process = try await download.start()
    process.kill(9)
    _ = await process.result
    for name in ["half.bin", "half.bin.part"] {
      let result = try await status([name], in: download.directory)
      #expect(result.status == 0, "\(result)")
      #expect(
        result.outputText == """
          half.bin.part: 50%, 512 KiB of 1.00 MiB is right
            \(download.publication.id)
            8 of 16 chunks of 64.0 KiB
            ########........

          """)
    }
    // A wrong byte costs its chunk.
    try TestFile.flip(download.directory.path("half.bin.part"), at: 3 * (64 << 10) + 5)
    let result = try await status(["half.bin"], in: download.directory)
    #expect(result.outputText.contains("  ###.####........\n"), "\(result)")
    #expect(try download.directory.names() == ["half.bin.part", "half.bin.part.chunks"], "nothing was changed")
  }

  @Test func `status tells who is writing, and does not disturb`() async throws {
    let download = try await HalfwayDownload()
    let process = try await download.start()
    let result = try await status(["half.bin"], in: download.directory)
    #expect(result.status == 8)
    #expect(result.outputText.contains("being written by process \(process.number) (chunkget)"), "\(result)")
    #expect(result.outputText.contains("  ########........\n"), "\(result)")
    download.gate.open()
    #expect(try await GetRun(ended: process).status == 0)
  }

  @Test func `status says what it cannot tell`() async throws {
    let download = try await HalfwayDownload()
    #expect(try await status(["half.bin"], in: download.directory).status == 1, "there is none")
    #expect(try await status([], in: download.directory).status == 2)
    let process = try await download.start()
    process.kill(9)
    _ = await process.result
    let manifest = download.directory.path("half.bin.part.chunks")
    // The pages are lost, the root is not.
    let bytes = try TestFile.read(manifest)
    try TestFile.overwrite(manifest, at: UInt64(bytes.count - 16 * 32), with: [UInt8](repeating: 0, count: 16 * 32))
    let unknown = try await status(["half.bin"], in: download.directory)
    #expect(unknown.status == 0 && unknown.outputText.contains("of 16 nothing is known"), "\(unknown)")
    try TestFile.overwrite(manifest, at: 0, with: [0])
    let damaged = try await status(["half.bin"], in: download.directory)
    #expect(damaged.status == 3 && damaged.errorText.contains("is no manifest"), "\(damaged)")
    try TestFile.write([], to: download.directory.path("other.part"))
    let bare = try await status(["other", "half.bin"], in: download.directory)
    #expect(bare.status == 3 && bare.errorText.contains("Without a manifest"), "\(bare)")
  }
}
