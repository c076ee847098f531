import ChunkTestSupport
import Foundation
import Testing

/// `build --pack` and what `zstd`, the reference and the other commands say of it.
@Suite struct PackTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @discardableResult
  private func build(_ words: String..., file: String = "file") async throws -> ProcessResult {
    var program = Subprocess("chunkmanifest", ["build", "-q", "--chunk-size", "4K", "--pack"] + words + [file])
    program.directory = directory.path
    let result = try await program.run()
    #expect(result.end == .exited(0), "\(result)")
    return result
  }

  private func unpack(_ name: String) async throws -> [UInt8] {
    let result = try await Subprocess("zstd", ["-d", "-q", "-c", directory.path(name)]).run()
    #expect(result.end == .exited(0), "\(result)")
    return result.output
  }

  /// Every second page is text, every eighth is zeros, the rest is noise.
  private func content(length: Int) -> [UInt8] {
    var random = SeededRandom(seed: UInt64(length))
    var bytes = random.bytes(count: length)
    for start in stride(from: 4096, to: max(4096, length - 4096), by: 8192) {
      for place in start..<start + 4096 { bytes[place] = UInt8(truncatingIfNeeded: place >> 5) }
    }
    for start in stride(from: 0, to: max(0, length - 4096), by: 8 * 4096) {
      for place in start..<start + 4096 { bytes[place] = 0 }
    }
    return bytes
  }

  @Test(arguments: [0, 1, 4096, 4097, 100 * 4096, 1030 * 4096 + 77])
  func zstdMakesTheFileOfIt(length: Int) async throws {
    let bytes = content(length: length)
    try directory.write(bytes, to: "file")
    try await build()
    #expect(try await unpack("file.zst") == bytes)
    #expect(try directory.names() == ["file", "file.chunks", "file.zst"])
    let verified = try await chunkmanifest("verify", "file", in: directory)
    #expect(verified.end == .exited(0), "\(verified)")
    #expect(verified.outputText.hasSuffix("\nfile.zst: right, a pack of it\n"))

    // The reference agrees about the layout and where everything lies.
    let check = """
      import sys, pathlib, struct
      sys.path.insert(0, "\(PackagePaths.root)/Spec/reference")
      import chunkref, chunkpack
      data = pathlib.Path("file.chunks").read_bytes()
      manifest, ids = chunkref.read_whole(data)
      column = manifest.section(b"pack").bytes_in(data)
      ends = [end for (end,) in struct.iter_unpack("<Q", column)]
      lengths = [min(4096, \(length) - 4096 * number) for number in range(len(ids))]
      print(chunkpack.check(pathlib.Path("file.zst").read_bytes(), ends, lengths), manifest.metadata)
      """
    var reference = Subprocess("python3", ["-B", "-c", check])
    reference.directory = directory.path
    let found = try await reference.run()
    #expect(found.outputText == "[] {'name': 'file', 'sources': [{'kind': 'pack', 'url': 'file.zst'}]}\n", "\(found)")
  }

  @Test func aSparseFile() async throws {
    try directory.write([1, 2, 3], to: "file")
    try TestFile.truncate(directory.path("file"), to: 64 << 20)
    try await build("--chunk-size", "64K")
    #expect(try TestFile.size(directory.path("file.zst")) < 64 << 10)
    let whole = try await unpack("file.zst")
    #expect(whole.count == 64 << 20 && whole.prefix(3) == [1, 2, 3] && whole.dropFirst(3).allSatisfy { $0 == 0 })
    #expect(try await chunkmanifest("verify", "file", in: directory).end == .exited(0))
  }

  @Test func theSameOptionsGiveTheSameBytes() async throws {
    try directory.write(content(length: 700 * 4096), to: "file")
    try await build()
    let first = [directory.read("file.zst"), directory.read("file.chunks")]
    try await build("--level", "3")
    #expect([directory.read("file.zst"), directory.read("file.chunks")] == first)
    try await build("--level", "19")
    #expect(directory.read("file.zst") != first[0])
    #expect(try await chunkmanifest("verify", "file", in: directory).end == .exited(0))
  }

  @Test func theNameIsEncodedAndStandsBesideTheManifest() async throws {
    let name = "größe 1:2?.bin"
    try directory.write([1], to: name)
    try directory.makeDirectory("out")
    try await build("--source", "https://mirror.example/x", "-o", "out/m.chunks", file: name)
    #expect(try directory.names() == [name, "out"].sorted())
    #expect(Set(try TestFile.names(in: directory.path("out"))) == ["m.chunks", "\(name).zst"])
    let shown = try await chunkmanifest("show", "out/m.chunks", in: directory).outputText
    #expect(
      shown.contains("source      file https://mirror.example/x\nsource      pack gr%C3%B6%C3%9Fe%201%3A2%3F.bin.zst\n")
    )
    let verified = try await chunkmanifest(
      "verify", "-m", "out/m.chunks", "--pack", "out/\(name).zst", name, in: directory)
    #expect(verified.end == .exited(0), "\(verified)")
  }

  @Test func usage() async throws {
    try directory.write([1], to: "file")
    for words in [
      ["--pack", "--level", "0"], ["--pack", "--level", "23"], ["--pack", "--level", "fast"], ["--level", "3"],
      ["--pack", "-o", "-"], ["--pack", "-o", "file.zst"],
    ] {
      var program = Subprocess("chunkmanifest", ["build"] + words + ["file"])
      program.directory = directory.path
      let result = try await program.run()
      #expect(result.end == .exited(2), "\(words): \(result)")
      #expect(try directory.names() == ["file"])
    }
  }

  @Test func whatIsWrongIsTold() async throws {
    try directory.write(content(length: 20 * 4096), to: "file")
    try await build()
    let json = try await chunkmanifest("show", "--json", "file.chunks", in: directory).outputText
    #expect(json.contains(#""pack":{"length":\#(try TestFile.size(directory.path("file.zst")))}"#), "\(json)")
    let size = try TestFile.size(directory.path("file.zst"))
    try TestFile.flip(directory.path("file.zst"), at: 0, size - 1)
    let result = try await chunkmanifest("verify", "file", in: directory)
    #expect(result.end == .exited(3))
    let lines = result.outputText.split(separator: "\n")
    #expect(lines.count == 3, "\(result)")
    #expect(lines[0].hasPrefix("file: right, chunks1-"))
    #expect(lines[1].hasPrefix("0  0-") && lines[1].hasSuffix("  found no frame of such a chunk"))
    #expect(
      lines[2] == "file.zst: 1 of 20 frames are wrong; its seek table does not agree with the manifest")
    let events = try await chunkmanifest("verify", "--json", "file", in: directory).outputText.split(separator: "\n")
    #expect(events.count == 3)
    #expect(events[1].contains(#""event":"bad-frame","index":0,"offset":0"#))
    #expect(events[2].contains(#""event":"done-pack","right":false"#) && events[2].contains(#""seekTable":false"#))
    // Of another version, the pack is wrong and the file is right.
    try directory.write(content(length: 19 * 4096), to: "file")
    #expect(try await chunkmanifest("build", "-q", "--chunk-size", "4K", "file", in: directory).end == .exited(0))
    #expect(try await chunkmanifest("verify", "file", in: directory).end == .exited(0), "it tells of no pack")
    let asked = try await chunkmanifest("verify", "--pack", "file.zst", "file", in: directory)
    #expect(asked.end == .exited(3))
    #expect(
      asked.errorText == "chunkmanifest verify: file.chunks: tells of no pack; build --pack makes one that does\n")
  }

  @Test func diffTellsWhatThePackTakes() async throws {
    try directory.write(content(length: 64 * 4096), to: "file")
    try await build()
    try directory.write([], to: "nothing")
    let result = try await chunkmanifest("diff", "nothing", "file.chunks", in: directory).outputText
    let line = try #require(result.split(separator: "\n").first { $0.hasPrefix("with a pack") })
    let bytes = try #require(line.split(separator: " ").dropFirst(3).first.flatMap { Int($0) })
    #expect(bytes > 20 * 4096 && bytes < 40 * 4096, "\(result)")
    let json = try await chunkmanifest("diff", "--json", "nothing", "file.chunks", in: directory).outputText
    #expect(json.contains(#""packedBytes":\#(bytes)"#))
  }
}
