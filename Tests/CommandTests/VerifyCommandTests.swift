import ChunkTestSupport
import Foundation
import Testing

@Suite struct VerifyCommandTests {
  /// A file of ten and a half chunks with its manifest.
  private func described() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(seed: 5)
    try directory.write(random.bytes(count: 10 * 4096 + 2048), to: "file")
    #expect(try await chunkmanifest("build", "-q", "--chunk-size", "4K", "file", in: directory).end == .exited(0))
    return directory
  }

  @Test func aRightFile() async throws {
    let directory = try await described()
    let result = try await chunkmanifest("verify", "file", in: directory)
    #expect(result.end == .exited(0), "\(result)")
    #expect(result.outputText.hasPrefix("file: right, chunks1-"))
    #expect(try await chunkmanifest("verify", "-q", "file", in: directory).output.isEmpty)
    let id = String(result.outputText.dropFirst("file: right, ".count).dropLast())
    for pin in [id, String(id.dropFirst("chunks1-".count))] {
      #expect(try await chunkmanifest("verify", "--id", pin, "file", in: directory).end == .exited(0))
    }
    #expect(try await chunkref("verify", "file", "file.chunks", "--id", id, in: directory).end == .exited(0))
  }

  @Test func badChunksAreListedWithPlaceAndIDs() async throws {
    let directory = try await described()
    let expected = try await chunkmanifest("show", "--chunks", "file.chunks", in: directory).outputText
    func id(_ chunk: Int) -> String {
      expected.split(separator: "\n").first { $0.hasPrefix("\(chunk)  ") }.map { String($0.suffix(64)) } ?? ""
    }
    try TestFile.flip(directory.path("file"), at: 0, 3 * 4096 + 5, 10 * 4096 + 2047)
    let damaged = try await chunkmanifest("build", "-q", "--chunk-size", "4K", "-o", "damaged", "file", in: directory)
    #expect(damaged.end == .exited(0))
    let found = try await chunkmanifest("show", "--chunks", "damaged", in: directory).outputText
    func foundID(_ chunk: Int) -> String {
      found.split(separator: "\n").first { $0.hasPrefix("\(chunk)  ") }.map { String($0.suffix(64)) } ?? ""
    }
    let result = try await chunkmanifest("verify", "file", in: directory)
    #expect(result.end == .exited(3))
    #expect(
      result.outputText == """
        0  0-4095  expected \(id(0))  found \(foundID(0))
        3  12288-16383  expected \(id(3))  found \(foundID(3))
        10  40960-43007  expected \(id(10))  found \(foundID(10))
        file: 3 of 11 chunks are wrong

        """)
    let json = try await chunkmanifest("verify", "--json", "file", in: directory)
    #expect(json.end == .exited(3))
    let lines = try json.outputText.split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
    }
    #expect(lines.compactMap { $0["index"] as? Int } == [0, 3, 10])
    #expect(lines.compactMap { $0["found"] as? String } == [0, 3, 10].map(foundID))
    #expect(lines.last?["event"] as? String == "done")
    #expect(lines.last?["right"] as? Bool == false)
    #expect(lines.last?["badChunkCount"] as? Int == 3)
    #expect(try await chunkref("verify", "file", "file.chunks", in: directory).end == .exited(1))
  }

  @Test func aFileOfAnotherLength() async throws {
    let directory = try await described()
    try TestFile.truncate(directory.path("file"), to: 9 * 4096 + 1)
    let short = try await chunkmanifest("verify", "file", in: directory)
    #expect(short.end == .exited(3))
    let lines = short.outputText.split(separator: "\n")
    #expect(lines.map { $0.prefix(3) } == ["9  ", "10 ", "fil"])
    #expect(lines[1].hasSuffix("found nothing"))
    #expect(lines[2] == "file: 2 of 11 chunks are wrong; it has 36865 bytes and should have 43008")

    let again = try await described()
    try TestFile.truncate(again.path("file"), to: 43_009)
    let long = try await chunkmanifest("verify", "file", in: again)
    #expect(long.end == .exited(3))
    #expect(long.outputText == "file: it has 43009 bytes and should have 43008\n")
  }

  @Test func theEmptyFile() async throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "empty")
    #expect(try await chunkmanifest("build", "empty", in: directory).end == .exited(0))
    #expect(try await chunkmanifest("verify", "empty", in: directory).end == .exited(0))
    try directory.write([0], to: "empty")
    #expect(try await chunkmanifest("verify", "empty", in: directory).end == .exited(3))
  }

  @Test func whatCannotBeVerifiedIsSaid() async throws {
    let directory = try await described()
    try directory.write(Array("no manifest".utf8), to: "noise")
    for (words, status, message) in [
      ([], 2, "needs one file"), (["file", "file"], 2, "needs one file"),
      (["--id", "abc", "file"], 2, "not a file ID"),
      (["absent"], 1, "absent.chunks: cannot read: No such file"),
      (["-m", "file.chunks", "absent"], 1, "absent: cannot open"),
      (["-m", "noise", "file"], 3, "noise: not a chunk manifest"), (["-m", ".", "file"], 1, "is not a regular file"),
      (["--id", String(repeating: "0", count: 64), "file"], 3, "not of chunks1-0000"),
    ] {
      var program = Subprocess("chunkmanifest", ["verify"] + words)
      program.directory = directory.path
      let result = try await program.run()
      #expect(result.end == .exited(status), "\(words): \(result)")
      #expect(result.errorText.contains(message), "\(words): \(result)")
      #expect(result.output.isEmpty)
    }
  }
}
