import ChunkTestSupport
import Glibc
import Testing

/// Runs the manifest command.
func chunkmanifest(_ words: String..., in directory: TemporaryDirectory? = nil) async throws -> ProcessResult {
  var program = Subprocess("chunkmanifest", words)
  program.directory = directory?.path
  return try await program.run()
}

/// Runs the readable second implementation.
func chunkref(_ words: String..., in directory: TemporaryDirectory? = nil) async throws -> ProcessResult {
  var program = Subprocess("python3", ["-B", "\(PackagePaths.root)/Spec/reference/chunkref.py"] + words)
  program.directory = directory?.path
  return try await program.run()
}

@Suite struct BuildCommandTests {
  /// Lengths at every boundary of chunks and groups, for chunks of 4 KiB.
  static let lengths = [
    0, 1, 4095, 4096, 4097, 8191, 8192, 8193, 1023 * 4096, 1024 * 4096, 1024 * 4096 + 1, 1025 * 4096,
  ]

  @Test(arguments: lengths)
  func agreesWithTheReferenceByteForByte(length: Int) async throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(seed: UInt64(length))
    try directory.write(random.bytes(count: min(length, 10_000)), to: "file.bin")
    // The rest is a hole but for the last byte.
    if length > 10_000 { try TestFile.overwrite(directory.path("file.bin"), at: UInt64(length - 1), with: [1]) }
    let ours = try await chunkmanifest("build", "--chunk-size", "4K", "--sha256", "file.bin", in: directory)
    #expect(ours.end == .exited(0), "\(ours)")
    let theirs = try await chunkref("build", "file.bin", "reference", "--chunk-size", "4096", "--sha256", in: directory)
    #expect(theirs.end == .exited(0), "\(theirs)")
    let manifest = try TestFile.read(directory.path("file.bin.chunks"))
    #expect(try manifest == TestFile.read(directory.path("reference")))
    #expect(ours.outputText.hasPrefix("chunks1-"))
    #expect(ours.outputText.hasSuffix("  file.bin\n"))
    #expect(theirs.outputText.isEmpty || theirs.outputText.contains(ours.outputText.prefix(72)))
  }

  @Test func agreesWithTheReferenceOnDefaults() async throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(seed: 1)
    try directory.write(random.bytes(count: 600_000), to: "ünïcode name")
    // A hole in the middle, which the builder does not read.
    try TestFile.overwrite(directory.path("ünïcode name"), at: 3_000_000, with: [1])
    #expect(try await chunkmanifest("build", "ünïcode name", in: directory).end == .exited(0))
    #expect(try await chunkref("build", "ünïcode name", "reference", in: directory).end == .exited(0))
    #expect(try TestFile.read(directory.path("ünïcode name.chunks")) == TestFile.read(directory.path("reference")))
  }

  @Test func theWeakColumnIsThatOfTheReference() async throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(seed: 2)
    try directory.write(random.bytes(count: 50_001), to: "file")
    try TestFile.overwrite(directory.path("file"), at: 99_999, with: [1])
    let ours = try await chunkmanifest("build", "--chunk-size", "4K", "--weak", "file", in: directory)
    #expect(ours.end == .exited(0), "\(ours)")
    let theirs = try await chunkref("build", "file", "reference", "--chunk-size", "4096", "--weak", in: directory)
    #expect(theirs.end == .exited(0), "\(theirs)")
    #expect(try TestFile.read(directory.path("file.chunks")) == TestFile.read(directory.path("reference")))
    let shown = try await chunkmanifest("show", "file.chunks", in: directory)
    #expect(shown.outputText.contains("weak, 200 bytes at"), "\(shown)")
  }

  @Test func severalFilesOneOfThemMissing() async throws {
    let directory = try TemporaryDirectory()
    for name in ["a", "b"] { try directory.write(Array(name.utf8), to: name) }
    let result = try await chunkmanifest("build", "a", "absent", "b", in: directory)
    #expect(result.end == .exited(1))
    #expect(result.outputText.split(separator: "\n").map { $0.suffix(3) } == ["  a", "  b"])
    #expect(result.errorText == "chunkmanifest build: absent: cannot open: No such file or directory (ENOENT)\n")
    #expect(try directory.names() == ["a", "a.chunks", "b", "b.chunks"])
  }

  @Test func whereTheManifestGoes() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("content".utf8), to: "file")
    #expect(try await chunkmanifest("build", "-q", "file", in: directory).output.isEmpty)
    let manifest = try TestFile.read(directory.path("file.chunks"))
    let standard = try await chunkmanifest("build", "-o", "-", "file", in: directory)
    #expect(standard.output == manifest)
    #expect(standard.error.isEmpty)
    try directory.write(Array("old".utf8), to: "other")
    #expect(try await chunkmanifest("build", "--output=other", "file", in: directory).end == .exited(0))
    #expect(try TestFile.read(directory.path("other")) == manifest)
    #expect(try directory.names() == ["file", "file.chunks", "other"], "nothing temporary is left")
  }

  @Test func whatCannotBeBuiltIsSaid() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("content".utf8), to: "file")
    #expect(unsafe mkdir(directory.path("folder"), 0o755) == 0)
    #expect(unsafe mkfifo(directory.path("fifo"), 0o600) == 0)
    #expect(unsafe symlink("file", directory.path("link")) == 0)
    #expect(unsafe link(directory.path("file"), directory.path("file.chunks")) == 0)
    let before = try directory.names()
    for (words, status, message) in [
      ([], 2, "needs a file"), (["-o", "x", "file", "file"], 2, "--output takes one file"),
      (["--chunk-size", "5K", "file"], 2, "power of two from 4K to 4M"),
      (["--chunk-size", "8M", "file"], 2, "power of two"),
      (["--chunk-size", "big", "file"], 2, "not a size"), (["folder"], 1, "folder: is not a regular file"),
      (["fifo"], 1, "fifo: is not a regular file"), (["file/x"], 1, "not a directory"),
      (["-o", "folder", "file"], 1, "is a directory"),
      (["-o", "absent/x", "file"], 1, "No such file"),
      (["-o", "/dev/full", "file"], 7, "No space left on device (ENOSPC)"),
      (["-o", "/proc/x", "file"], 1, "/proc/x"),
      (["-o", "file", "file"], 2, "take the place of the file it describes"),
      (["file"], 2, "take the place of the file it describes"),
      (["-o", "file", "link"], 2, "take the place of the file it describes"),
      (["-o", "./file", "file"], 2, "take the place"),
    ] {
      var program = Subprocess("chunkmanifest", ["build"] + words)
      program.directory = directory.path
      let result = try await program.run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
      #expect(result.output.isEmpty)
    }
    #expect(try directory.names() == before)
    #expect(try TestFile.read(directory.path("file")) == Array("content".utf8))
  }

  /// A file with a whole-file hash that takes minutes, so that the signal comes while it is read.
  @Test(.timeLimit(.minutes(2)), arguments: [(SIGINT, 130), (SIGTERM, 143)])
  func aSignalEndsItAndLeavesNothingBehind(signal: CInt, status: Int) async throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "huge")
    try TestFile.truncate(directory.path("huge"), to: 1 << 40)
    try directory.write(Array("old".utf8), to: "huge.chunks")
    let process = try Subprocess("chunkmanifest", ["build", "--sha256", directory.path("huge"), "absent"]).start()
    await untilOpen(directory.path("huge"), by: process)
    process.kill(signal)
    let result = await process.result
    #expect(result.end == .exited(status), "\(result)")
    // On a busy machine a line of progress may come before.
    #expect(result.errorLines.last?.hasSuffix("interrupted; nothing was changed") == true)
    #expect(try directory.names() == ["huge", "huge.chunks"])
    #expect(try TestFile.read(directory.path("huge.chunks")) == Array("old".utf8))
  }

  /// Signals are caught before the file is opened.
  private func untilOpen(_ path: String, by process: RunningProcess) async {
    let descriptors = "/proc/\(process.number)/fd"
    while !process.hasEnded {
      for name in (try? TestFile.names(in: descriptors)) ?? [] {
        var target = [CChar](repeating: 0, count: 4096)
        let count = unsafe readlink("\(descriptors)/\(name)", &target, target.count)
        let bytes = target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        if String(decoding: bytes, as: UTF8.self) == path { return }
      }
      await Task.yield()
    }
  }
}
