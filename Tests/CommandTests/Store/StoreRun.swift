import ChunkTestSupport
import Testing

/// A store and what is done with it by `chunkget`.
struct StoreRun {
  let directory: TemporaryDirectory
  var path: String { directory.path("store") }
  var files: StoreFiles { StoreFiles(path) }

  init() throws {
    directory = try TemporaryDirectory()
  }

  func program(_ command: String, _ arguments: [String] = []) -> Subprocess {
    var program = GetRun.program(["store", command, "--store", path] + arguments)
    program.directory = directory.path
    return program
  }

  @discardableResult
  func callAsFunction(_ command: String, _ arguments: String...) async throws -> ProcessResult {
    try await program(command, arguments).run()
  }

  /// Puts a file in and returns its ID.
  func add(_ bytes: [UInt8], as name: String = "file", _ options: String...) async throws -> String {
    try directory.write(bytes, to: name)
    let result = try await program("add", options + [name]).run()
    try #require(result.status == 0, "\(result)")
    return String(try #require(result.outputText.split(separator: " ").first))
  }

  /// Every file of a chunk that does not have the SHA-256 it is named after; looked for with coreutils.
  func wrongChunks() async throws -> [String] {
    let chunks = try files.chunks.filter { !$0.hasSuffix(".zst") }
    guard !chunks.isEmpty else { return [] }
    let sums = try await Subprocess("sha256sum", chunks).run()
    return sums.outputText.split(separator: "\n").compactMap { line in
      let path = line.drop { $0 != "/" }
      return path.hasSuffix("/\(line.prefix(64))") ? nil : String(path)
    }
  }
}
