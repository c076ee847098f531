import ChunkTestSupport
import Glibc
import Testing

/// `export-store`: what lies in the directory, and who may read it.
@Suite struct ExportStoreTests {
  let directory: TemporaryDirectory
  let bytes: [UInt8]

  /// A file of twenty and a half chunks, some of zeros and some of text, with its manifest.
  init() async throws {
    directory = try TemporaryDirectory()
    var random = SeededRandom(seed: 9)
    var bytes = random.bytes(count: 20 * 4096 + 100)
    for place in 4096..<3 * 4096 { bytes[place] = 0 }
    for place in 3 * 4096..<6 * 4096 { bytes[place] = UInt8(truncatingIfNeeded: place >> 6) }
    self.bytes = bytes
    try await publish(bytes, as: "file")
  }

  private func publish(_ bytes: [UInt8], as name: String) async throws {
    try directory.write(bytes, to: name)
    #expect(try await chunkmanifest("build", "-q", "--chunk-size", "4K", name, in: directory).end == .exited(0))
  }

  /// Path, length and inode of every file in the store.
  private func listing() async throws -> [String] {
    let found = try await Subprocess("find", [directory.path("store"), "-type", "f", "-printf", "%P %s %i\n"]).run()
    return found.outputText.split(separator: "\n").map(String.init).sorted()
  }

  @Test func theReferenceFindsTheFileInIt() async throws {
    let result = try await chunkmanifest("export-store", "file", "store", in: directory)
    #expect(result.end == .exited(0), "\(result)")
    let id = String(result.outputText.prefix(72))
    #expect(result.outputText == "\(id)  file\n")
    let store = StoreFiles(directory.path("store"))
    // Zeros need not be there.
    #expect(try store.chunks.count == 19)
    #expect(try store.names(in: "manifests") == ["\(id).chunks"])
    for folder in ["leases", "pins", "tmp"] { #expect(try store.names(in: folder) == []) }
    #expect(directory.read("store/manifests/\(id).chunks") == directory.read("file.chunks"))
    var reference = Subprocess(
      "python3", ["-B", "\(PackagePaths.root)/Spec/reference/chunkstore.py", "export", "store", id, "out"])
    reference.directory = directory.path
    let exported = try await reference.run()
    #expect(exported.end == .exited(0), "\(exported)")
    #expect(directory.read("out") == bytes)
  }

  @Test func everybodyMayReadItWhateverTheUmask() async throws {
    let command = "umask 077; exec \"$0\" export-store -q --compress file store"
    var program = Subprocess("sh", ["-c", command, PackagePaths.product("chunkmanifest")])
    program.directory = directory.path
    let result = try await program.run()
    #expect(result.end == .exited(0), "\(result)")
    let modes = try await Subprocess("find", [directory.path("store"), "-not", "-name", "lock", "-printf", "%y %m\n"])
      .run()
    #expect(Set(modes.outputText.split(separator: "\n")) == ["d 755", "f 644"])
  }

  @Test func againItChangesNothingAndMendsWhatIsWrong() async throws {
    #expect(try await chunkmanifest("export-store", "-q", "file", "store", in: directory).end == .exited(0))
    let first = try await listing().filter { !$0.hasPrefix("manifests/") }
    #expect(try await chunkmanifest("export-store", "-q", "file", "store", in: directory).end == .exited(0))
    #expect(try await listing().filter { !$0.hasPrefix("manifests/") } == first)

    // With compressed forms, those of text are there too, and the plain ones stay.
    #expect(
      try await chunkmanifest("export-store", "-q", "--compress", "file", "store", in: directory).end == .exited(0))
    let both = try await listing().filter { !$0.hasPrefix("manifests/") }
    #expect(Set(both).isSuperset(of: first))
    let compressed = both.filter { $0.contains(".zst ") }
    #expect(compressed.count == 3 && both.count == first.count + 3)
    for entry in compressed {
      let path = String(entry.prefix { $0 != " " })
      let plain = try await Subprocess("zstd", ["-d", "-q", "-c", directory.path("store/\(path)")]).run()
      #expect(plain.output == directory.read("store/\(path.dropLast(4))"))
    }

    let damaged = try #require(both.first { $0.hasPrefix("chunks/") && $0.contains(".zst ") }?.prefix { $0 != " " })
    for path in [String(damaged), String(damaged.dropLast(4))] {
      try StoreFiles(directory.path("store")).replace(directory.path("store/\(path)"), with: [1, 2, 3])
    }
    #expect(
      try await chunkmanifest("export-store", "-q", "--compress", "file", "store", in: directory).end == .exited(0))
    let sizes = { (lines: [String]) in lines.map { $0.split(separator: " ").prefix(2) } }
    #expect(try await sizes(listing().filter { !$0.hasPrefix("manifests/") }) == sizes(both))
  }

  @Test func filesShareWhatTheyHaveInCommon() async throws {
    try await publish(Array(bytes[..<(10 * 4096)]) + Array(repeating: 7, count: 4096), as: "other")
    let result = try await chunkmanifest("export-store", "file", "other", "store", in: directory)
    #expect(result.end == .exited(0), "\(result)")
    #expect(result.outputText.split(separator: "\n").map { $0.suffix(5) } == [" file", "other"].map { $0.suffix(5) })
    #expect(try StoreFiles(directory.path("store")).chunks.count == 20)
  }

  @Test func whatCannotBeExportedIsSaid() async throws {
    let alone = try await chunkmanifest("export-store", "file", in: directory)
    #expect(alone.end == .exited(2))
    try directory.write([1], to: "bare")
    let bare = try await chunkmanifest("export-store", "file", "bare", "store", in: directory)
    #expect(bare.end == .exited(1))
    #expect(
      bare.errorText
        == "chunkmanifest export-store: bare.chunks: there is no manifest; chunkmanifest build makes it\n")
    #expect(try !directory.names().contains("store"))
    try directory.makeDirectory("full")
    try directory.write([1], to: "full/of things")
    let full = try await chunkmanifest("export-store", "file", "full", in: directory)
    #expect(full.end == .exited(1) && full.errorText.contains("has other files"), "\(full)")
    #expect(try TestFile.names(in: directory.path("full")) == ["of things"])

    try TestFile.flip(directory.path("file"), at: 7 * 4096)
    let wrong = try await chunkmanifest("export-store", "file", "store", in: directory)
    #expect(wrong.end == .exited(3))
    #expect(wrong.errorText.contains("file: is not what file.chunks says"), "\(wrong)")
    // What is there is right nonetheless.
    let check = try await Subprocess(
      "sh",
      [
        "-c", "cd \"$0\"/chunks && for f in */*; do echo \"${f#*/}  $f\"; done | sha256sum -c --quiet",
        directory.path("store"),
      ]
    ).run()
    #expect(check.end == .exited(0), "\(check)")
  }

  @Test func theManifestTellsOfTheStore() async throws {
    let built = try await chunkmanifest(
      "build", "-q", "--source-store", "../store/", "--source-store", "https://cdn.example/s/", "file", in: directory)
    #expect(built.end == .exited(0), "\(built)")
    let shown = try await chunkmanifest("show", "file.chunks", in: directory).outputText
    #expect(shown.contains("source      store ../store/\nsource      store https://cdn.example/s/\n"), "\(shown)")
  }
}
