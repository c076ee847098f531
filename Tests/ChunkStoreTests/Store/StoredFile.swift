import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// A store with files in it, made by the code under test and looked at without it.
struct StoredFile {
  static let chunkSize = ChunkSize.minimum

  let directory: TemporaryDirectory
  let store: FileStore
  let content: [UInt8]
  let id: FileID

  var files: StoreFiles { StoreFiles(store.path) }

  /// A new store with one file of `chunkCount` chunks; the same seed gives the same file.
  init(chunkCount: Int = 20, seed: UInt64 = 1, compresses: Bool = false) throws {
    var random = SeededRandom(seed: seed)
    try self.init(random.bytes(count: chunkCount * Self.chunkSize.bytes - 100), compresses: compresses)
  }

  init(_ content: [UInt8], compresses: Bool = false) throws {
    directory = try TemporaryDirectory()
    store = try FileStore.open(directory.path("store"), isMade: true, compresses: compresses)
    self.content = content
    id = try Self.add(content, to: store, directory)
  }

  /// Puts a file with its manifest into the store, as `chunkget store add` does.
  @discardableResult
  static func add(_ content: [UInt8], to store: FileStore, _ directory: TemporaryDirectory) throws -> FileID {
    let path = try directory.write(content, to: "file")
    let hashed = try ManifestBuilder(threadCount: 1).hash(path, chunkSize: chunkSize)
    let encoder = try ManifestEncoder(geometry: hashed.geometry, chunkIDs: hashed.chunkIDs)
    let lease = try store.lease([encoder.fileID])
    defer { extendLifetime(lease) }
    try store.putManifest(encoder.fileID) { sink throws(StoreError) in try encoder.write(to: sink) }
    let stored = try #require(try store.manifest(encoder.fileID))
    let file = OpenFile(try FileSystem().open(path, .read))
    let result = try StoreAddition(to: store, geometry: hashed.geometry, threadCount: 1).add(
      file, page: { group throws(StoreError) in try stored.page(group: group) })
    #expect(result.wrongCount == 0)
    return encoder.fileID
  }

  /// Adds another file to the same store.
  func add(_ content: [UInt8]) throws -> FileID { try Self.add(content, to: store, directory) }

  /// The IDs of the chunks of some content.
  static func chunks(of content: [UInt8]) -> [ChunkID] {
    stride(from: 0, to: content.count, by: chunkSize.bytes).map { start in
      StoreSample.id(Array(content[start..<min(start + chunkSize.bytes, content.count)]))
    }
  }

  /// Writes the file from the store alone and compares it.
  func isWhole(_ id: FileID? = nil, is expected: [UInt8]? = nil) throws -> Bool {
    let output = directory.path("out")
    if TestFile.exists(output) { try TestFile.remove(output) }
    let stored = try #require(try store.manifest(id ?? self.id))
    try StoreExport(of: stored, from: store, threadCount: 1).write(to: OutputPath(output))
    return try TestFile.read(output).elementsEqual(expected ?? content)
  }
}
