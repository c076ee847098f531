import ChunkSystem
import ChunkTestSupport
import ChunkTransfer
import Testing

/// A file compared with its manifest by whoever uses the library.
struct FileCheckTests {
  private let directory: TemporaryDirectory
  /// Two groups, and a tail.
  private let publication: Publication

  init() throws {
    directory = try TemporaryDirectory()
    publication = try Publication(length: 1030 * 4096 + 5, chunkSize: 4096)
    try directory.write(publication.bytes, to: "file")
    try directory.write(publication.manifest, to: "file.chunks")
  }

  private var path: String { directory.path("file") }

  @Test("a file that is right is right")
  func right() async throws {
    let check = try await FileCheck(of: path, expecting: publication.fileID) { Issue.record("wrong: \($0)") }
    #expect(check.isRight)
    #expect(check.fileID == publication.fileID)
    #expect(check.chunkSize.bytes == 4096)
    #expect(check.length == publication.bytes.count)
    #expect(check.expectedLength == check.length)
  }

  @Test("each chunk that is wrong is told, from front to back, with what is there")
  func wrong() async throws {
    var bytes = publication.bytes
    bytes[1028 * 4096] ^= 1
    bytes[3 * 4096 + 7] ^= 1
    bytes.removeLast(5)
    try directory.write(bytes, to: "file")
    let told = Lock<[FileCheck.WrongChunk]>([])
    let check = try await FileCheck(of: path) { chunk in told.withLock { $0.append(chunk) } }
    #expect(!check.isRight)
    #expect(check.wrongChunkCount == 3)
    let wrong = told.withLock { $0 }
    #expect(wrong.map(\.index.rawValue) == [3, 1028, 1030])
    #expect(wrong.first?.range == ByteRange(offset: 3 * 4096, count: 4096))
    let there = ChunkID(SHA256Hasher.hash(bytes.span.extracting(3 * 4096..<4 * 4096)))
    #expect(wrong.first?.found == .other(there))
    #expect(wrong.first?.expected != there)
    #expect(wrong.last?.found == .nothing)
  }

  @Test("a longer file is not right, although no chunk is wrong")
  func longer() async throws {
    try directory.write(publication.bytes + [0], to: "file")
    let check = try await FileCheck(of: path, manifest: directory.path("file.chunks"))
    #expect(check.wrongChunkCount == 0)
    #expect(!check.isRight)
  }

  @Test("a manifest that is not believed is an error, and no chunk is called wrong for it")
  func notTrusted() async throws {
    await expect(.notTrusted, expecting: try Publication.older().fileID)
    let (manifest, _) = try Manifest.decode(whole: publication.manifest.span, expecting: nil)
    var bytes = publication.manifest
    bytes[Int(manifest.leafPageRange(group: 1).offset)] ^= 1
    try directory.write(bytes, to: "file.chunks")
    await expect(.notTrusted)
    try directory.write([1, 2, 3], to: "file.chunks")
    await expect(.notTrusted)
  }

  @Test("what is not there is an error of whoever asked")
  func missing() async throws {
    await expect(.invalidRequest, manifest: directory.path("none.chunks"))
    await expect(.invalidRequest, of: directory.path("none"), manifest: directory.path("file.chunks"))
    await expect(.invalidRequest, of: directory.path, manifest: directory.path("file.chunks"))
  }

  @Test("a task that is cancelled is told so")
  func cancelled() async throws {
    let checking = Task { [path] in
      while !Task.isCancelled { await Task.yield() }
      return await Self.failure { () throws(TransferError) in _ = try await FileCheck(of: path) }
    }
    checking.cancel()
    let error = await checking.value
    #expect(error?.code == .cancelled)
    #expect(error?.isRetryable == true)
  }

  private func expect(
    _ code: TransferError.Code, of path: String? = nil, manifest: String? = nil, expecting id: FileID? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let path = path ?? self.path
    let error = await Self.failure { () throws(TransferError) in
      _ = try await FileCheck(of: path, manifest: manifest, expecting: id) { chunk in
        Issue.record("called wrong: \(chunk)", sourceLocation: sourceLocation)
      }
    }
    #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
    #expect(error?.isRetryable == false, sourceLocation: sourceLocation)
  }

  private static func failure(_ body: () async throws(TransferError) -> Void) async -> TransferError? {
    do throws(TransferError) {
      try await body()
      return nil
    } catch {
      return error
    }
  }
}
