import ChunkTestSupport
import FaultServer
import Foundation
import Testing

/// What `diff` says a download would take, and what it takes.
@Suite struct DiffCommandTests {
  private static let size = 4096

  /// An old and a new version, both with their manifests: chunks changed, moved, added, of zeros, and another end.
  private func versions() async throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    var old = Content.pattern(length: UInt64(1500 * Self.size + 100), seed: 3).all
    old.replaceSubrange(0..<8, with: [1, 2, 3, 4, 5, 6, 7, 8])
    var new = Array(old[..<(1400 * Self.size)])
    for chunk in [3, 700] { new[chunk * Self.size + 5] ^= 1 }
    new += [UInt8](repeating: 0, count: 10 * Self.size) + old[(1400 * Self.size)...]
    try directory.write(old, to: "old")
    try directory.write(new, to: "new")
    for name in ["old", "new"] {
      let built = try await chunkmanifest("build", "--chunk-size", "4K", name, in: directory)
      try #require(built.end == .exited(0))
    }
    return directory
  }

  private func expected(manifestBytes: Int) -> NSDictionary {
    func part(_ chunks: Int, _ bytes: Int) -> [String: Int] { ["chunks": chunks, "bytes": bytes] }
    // Nothing is said of a pack: there is none.
    return [
      "samePlace": part(1398, 1398 * Self.size), "otherPlace": part(101, 100 * Self.size + 100),
      "inStore": part(0, 0), "zeros": part(10, 10 * Self.size), "toFetch": part(2, 2 * Self.size),
      "packedBytes": NSNull(), "manifestBytes": manifestBytes,
    ]
  }

  @Test("a file and its manifest give the same answer, and the download agrees", arguments: ["old", "old.chunks"])
  func answer(_ have: String) async throws {
    let directory = try await versions()
    let result = try await chunkmanifest("diff", "--json", have, "new.chunks", in: directory)
    #expect(result.end == .exited(0))
    let manifest = try TestFile.read(directory.path("new.chunks"))
    let object = try JSONSerialization.jsonObject(with: Data(result.outputText.utf8)) as? NSDictionary
    // Both groups differ, so all of the manifest is read.
    #expect(object == expected(manifestBytes: manifest.count), "\(result.outputText)")

    let new = try TestFile.read(directory.path("new"))
    let server = try FaultServer(resources: ["/new": .bytes(new), "/new.chunks": .bytes(manifest)])
    let run = try await GetRun(["--seed", directory.path("old"), server.url("/new"), "-o", directory.path("out")])
    #expect(run.status == 0, "\(run)")
    #expect(run.done?.fetched == 2 * Self.size)
    let isRight = directory.read("out") == new
    #expect(isRight)
  }

  @Test func whatPeopleRead() async throws {
    let directory = try await versions()
    let result = try await chunkmanifest("diff", "new", "new.chunks", in: directory)
    #expect(
      result.outputText == """
        same place   1501 chunks, 6144100 bytes (5.86 MiB)
        other place  0 chunks, 0 bytes (0 B)
        in the store 0 chunks, 0 bytes (0 B)
        zeros        10 chunks, 40960 bytes (40.0 KiB)
        to fetch     0 chunks, 0 bytes (0 B)
        manifest     214 bytes (214 B)

        """)
  }

  @Test("a store has what it has the names of")
  func store() async throws {
    let directory = try await versions()
    let store = ["--store", directory.path("s"), directory.path("old")]
    let added = try await GetRun.program(["store", "add"] + store).run()
    try #require(added.status == 0, "\(added)")
    let result = try await chunkmanifest("diff", "s", "new.chunks", in: directory)
    #expect(result.outputText.contains("in the store 1499 chunks"), "\(result)")
    #expect(result.outputText.contains("to fetch     2 chunks"))
    let noStore = try await chunkmanifest("diff", ".", "new.chunks", in: directory)
    #expect(noStore.end == .exited(1))
    #expect(noStore.errorText.contains("no chunk store"))
  }

  @Test func whatCannotBeCompared() async throws {
    let directory = try await versions()
    let built = try await chunkmanifest("build", "--chunk-size", "8K", "-o", "other.chunks", "old", in: directory)
    try #require(built.end == .exited(0))
    let sizes = try await chunkmanifest("diff", "other.chunks", "new.chunks", in: directory)
    #expect(sizes.end == .exited(2))
    #expect(sizes.errorText.contains("give the file itself"))
    let noManifest = try await chunkmanifest("diff", "old", "new", in: directory)
    #expect(noManifest.end == .exited(3))
    let missing = try await chunkmanifest("diff", "missing", "new.chunks", in: directory)
    #expect(missing.end == .exited(1))
    #expect(try await chunkmanifest("diff", "old", in: directory).end == .exited(2))
  }
}
