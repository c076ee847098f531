import ChunkTestSupport
import FaultServer
import Testing

/// A file with its manifest, as a publisher has them: what the tests of `chunkget` download.
struct Publication {
  static let name = "file.bin"

  let content: [UInt8]
  let chunkSize: Int
  let directory: TemporaryDirectory
  /// What `chunkmanifest build` printed.
  let id: String

  /// Has the manifest built by the command, from a file in a directory of its own.
  init(_ content: [UInt8], chunkSize: Int = 64 << 10) async throws {
    self.content = content
    self.chunkSize = chunkSize
    directory = try TemporaryDirectory()
    let path = try directory.write(content, to: Self.name)
    id = try await Self.build(path, chunkSize: chunkSize)
  }

  /// So many bytes of which no two chunks are alike.
  init(count: Int, chunkSize: Int = 64 << 10) async throws {
    try await self.init(Content.pattern(length: UInt64(count), seed: 7).all, chunkSize: chunkSize)
  }

  /// Writes the manifest of a file beside it and returns the file ID.
  static func build(_ path: String, chunkSize: Int) async throws -> String {
    let result = try await Subprocess("chunkmanifest", ["build", path, "--chunk-size", "\(chunkSize)"]).run()
    try #require(result.status == 0, "\(result)")
    return String(try #require(result.outputText.split(separator: " ").first))
  }

  var manifest: [UInt8] { get throws { try TestFile.read(directory.path(Self.name + ".chunks")) } }

  /// Serves both.
  func server(_ rules: [FaultRule] = [], connections: ConnectionFaults = ConnectionFaults()) throws -> FaultServer {
    try FaultServer(
      resources: ["/" + Self.name: .bytes(content), "/" + Self.name + ".chunks": .bytes(try manifest)],
      script: FaultScript(rules, connections: connections))
  }

  // MARK: Chunks

  var chunkCount: Int { (content.count + chunkSize - 1) / chunkSize }

  func range(of chunk: Int) -> Range<Int> { chunk * chunkSize..<min((chunk + 1) * chunkSize, content.count) }

  /// The chunks whose bytes in `file` are right: compared byte by byte, without any code under test.
  func rightChunks(in file: [UInt8]) -> Set<Int> {
    Set((0..<chunkCount).filter { file.isSame(as: content, in: range(of: $0)) })
  }

  func isZero(_ chunk: Int) -> Bool { content[range(of: chunk)].allSatisfy { $0 == 0 } }

  func bytes(in chunks: some Sequence<Int>) -> Int { chunks.reduce(0) { $0 + range(of: $1).count } }

  /// The chunks that answers for the file, as the server recorded them, had bytes of.
  func chunksServed(_ requests: [RecordedRequest]) -> Set<Int> {
    var served: Set<Int> = []
    for request in requests where request.path == "/" + Self.name {
      guard let range = request.served, !range.isEmpty else { continue }
      served.formUnion(Int(range.lowerBound) / chunkSize...Int(range.upperBound - 1) / chunkSize)
    }
    return served
  }

  /// Whether a file is there with exactly these bytes.
  func isComplete(_ path: String) throws -> Bool { try TestFile.read(path).isSame(as: content) }
}
