import ChunkTestSupport
import Foundation
import Testing

@Suite struct ShowCommandTests {
  private func described() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    try directory.write(Array(repeating: 7, count: 9000), to: "file.bin")
    let built = try await chunkmanifest("build", "--sha256", "--chunk-size", "4K", "file.bin", in: directory)
    #expect(built.end == .exited(0))
    return directory
  }

  @Test func whatPeopleRead() async throws {
    let directory = try await described()
    let result = try await chunkmanifest("show", "--chunks", "file.bin.chunks", in: directory)
    #expect(result.end == .exited(0))
    let lines = result.outputText.split(separator: "\n")
    #expect(
      lines.map { $0.prefix(12) } == [
        "file ID     ", "root        ", "length      ", "chunk size  ", "chunks      ", "name        ", "SHA-256     ",
        "section     ", "section     ", "section     ", "0  0-4095  c", "1  4096-8191", "2  8192-8999",
      ])
    #expect(lines[2] == "length      9000 bytes (8.79 KiB)")
    #expect(lines[5] == "name        file.bin")
    // A chunk ID is what sha256sum prints.
    let sum = try await Subprocess("sha256sum", [directory.path("file.bin")]).run()
    #expect(sum.outputText.hasPrefix(lines[6].dropFirst(12)))
  }

  @Test func whatProgramsRead() async throws {
    let directory = try await described()
    let result = try await chunkmanifest("show", "--json", "--chunks", "file.bin.chunks", in: directory)
    let lines = try result.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
    #expect(lines.count == 4)
    #expect(lines[0]["fileLength"] as? Int == 9000)
    #expect(lines[0]["chunkSize"] as? Int == 4096)
    #expect(lines[0]["chunkCount"] as? Int == 3)
    #expect((lines[0]["metadata"] as? NSDictionary)?["name"] as? String == "file.bin")
    #expect(lines.dropFirst().map { $0["offset"] as? Int } == [0, 4096, 8192])
    #expect(lines.dropFirst().map { $0["length"] as? Int } == [4096, 4096, 808])
    let id = try #require(lines[0]["fileID"] as? String)
    let theirs = try await chunkref("show", "file.bin.chunks", in: directory)
    #expect(theirs.outputText.contains(id), "\(theirs.outputText)")
  }

  /// Whatever bit is turned, nobody is told anything but that the manifest is not to be trusted, or, where only the
  /// publisher's words were touched, never another file ID.
  @Test func damagedManifestsAreRefused() async throws {
    let directory = try await described()
    let whole = try TestFile.read(directory.path("file.bin.chunks"))
    let id = try await chunkmanifest("show", "file.bin.chunks", in: directory).outputText.prefix(84)
    for offset in stride(from: 0, to: whole.count, by: 23) {
      var damaged = whole
      damaged[offset] ^= 1
      try directory.write(damaged, to: "damaged")
      let result = try await chunkmanifest("show", "damaged", in: directory)
      // A length that gives the same number of chunks is found by a pin only, and by the last chunk.
      let isLength = (16..<24).contains(offset)
      #expect(result.end == .exited(3) || isLength || result.outputText.hasPrefix(id), "byte \(offset)")
    }
    for length in [0, 7, 63, 64, 135, 200, whole.count - 1] {
      try directory.write(Array(whole[..<length]), to: "damaged")
      #expect(try await chunkmanifest("show", "damaged", in: directory).end == .exited(3), "\(length) bytes")
    }
    try directory.write(whole + [0], to: "damaged")
    #expect(try await chunkmanifest("show", "damaged", in: directory).end == .exited(3))
  }

  @Test func whatThePublisherSaysCannotReachTheTerminal() async throws {
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "file")
    let name = "a\u{9B}31m\u{202E}b"
    #expect(try await chunkref("build", "file", "m", "--name", name, in: directory).end == .exited(0))
    let result = try await chunkmanifest("show", "m", in: directory)
    #expect(result.outputText.contains("name        a\\u{9B}31m\\u{202E}b\n"))
    let json = try await chunkmanifest("show", "--json", "m", in: directory)
    #expect(json.outputText.contains(#""name":"a\u009b31m\u202eb""#))
  }

  @Test func whatCannotBeShownIsSaid() async throws {
    let directory = try await described()
    for (words, status, message) in [
      ([], 2, "needs one manifest"), (["absent"], 1, "absent: cannot read: No such file"),
      (["file.bin"], 3, "file.bin: not a chunk manifest"), (["."], 1, "is not a regular file"),
    ] {
      var program = Subprocess("chunkmanifest", ["show"] + words)
      program.directory = directory.path
      let result = try await program.run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
    }
    var full = Subprocess("chunkmanifest", ["show", directory.path("file.bin.chunks")])
    full.output = .file("/dev/full")
    let result = try await full.run()
    #expect(result.end == .exited(7))
    #expect(result.errorText.contains("standard output: cannot write: No space left on device"))
  }
}
