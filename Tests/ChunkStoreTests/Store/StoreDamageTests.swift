import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Calls that fail at every place, and a power cut that lost what it could.
struct StoreDamageTests {
  private static let errors: [Errno] = [.noSpace, .ioError, .accessDenied, .tooManyOpenFiles]

  /// What is done with each call failing in turn: everything that writes to a store.
  private func use(_ store: FileStore, _ content: [UInt8], _ directory: TemporaryDirectory) throws {
    let id = try StoredFile.add(content, to: store, directory)
    try store.pin(id)
    try store.sync()
    _ = try store.unpin(id)
  }

  @Test(arguments: errors) func `whatever call fails, nothing wrong is kept and the next run succeeds`(error: Errno)
    throws
  {
    var random = SeededRandom(seed: 3)
    let content = random.bytes(count: 3 * 4096)
    let counter = CallFaults()
    let first = try TemporaryDirectory()
    try use(.open(first.path("store"), isMade: true, files: FileSystem(faults: counter)), content, first)
    for number in 0..<counter.count() {
      let directory = try TemporaryDirectory()
      let faults = CallFaults(.init(failing: number, with: .error(error)))
      do {
        try use(.open(directory.path("store"), isMade: true, files: FileSystem(faults: faults)), content, directory)
      } catch let failure as StoreError {
        #expect(!failure.message.isEmpty)
      }
      for path in (try? StoreFiles(directory.path("store")).chunks) ?? [] {
        #expect(path.hasSuffix(StoreSample.id(try TestFile.read(path)).hex), "call \(number): \(path)")
      }
      let store = try FileStore.open(directory.path("store"), isMade: true)
      try use(store, content, directory)
      try StoreFiles(store.path).waitForTick()
      var sweep = StoreSweep(of: store)
      #expect(try sweep.run().chunkCount == 0)
      #expect(try StoreFiles(store.path).names(in: "tmp").isEmpty, "call \(number)")
      #expect(try StoreFiles(store.path).names(in: "leases").isEmpty, "call \(number)")
    }
  }

  @Test(arguments: errors) func `whatever call of a prune fails, no manifest has lost a chunk`(error: Errno) throws {
    let counter = CallFaults()
    try prune(failing: counter)
    let count = counter.count()
    // In between it lists 256 folders, one like the other.
    for number in Array(0..<8) + Array(max(8, count - 60)..<count) {
      try prune(failing: CallFaults(.init(failing: number, with: .error(error))))
    }
  }

  private func prune(failing faults: CallFaults) throws {
    let stored = try StoredFile(chunkCount: 3)
    var random = SeededRandom(seed: 9)
    let other = random.bytes(count: 3 * 4096)
    let pinned = try stored.add(other)
    try stored.store.pin(pinned)
    try stored.files.waitForTick()
    do throws(StoreError) {
      var sweep = StoreSweep(of: try .open(stored.store.path, files: FileSystem(faults: faults)), maximumSize: 0)
      _ = try sweep.run()
    } catch {
      #expect(!error.message.isEmpty)
    }
    let left = try stored.store.manifestIDs()
    #expect(left.contains(pinned))
    for id in left {
      #expect(try stored.isWhole(id, is: id == pinned ? other : stored.content), "\(faults.history.count)")
    }
  }

  @Test func `what a power cut took is missing, and only that`() throws {
    var random = SeededRandom(for: "power cut")
    for compresses in [false, true] {
      let stored = try StoredFile(Array("a line of text\n".utf8.repeated(20_000)), compresses: compresses)
      var lost: Set<String> = []
      for path in try stored.files.chunks where Bool.random(using: &random) {
        let bytes = try TestFile.read(path)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try stored.files.replace(path, with: [])
        case 1: try stored.files.replace(path, with: [UInt8](repeating: 0, count: bytes.count))
        case 2: try stored.files.replace(path, with: Array(bytes[..<Int.random(in: 0..<bytes.count, using: &random)]))
        default: try TestFile.remove(path)
        }
        lost.insert(path)
      }
      let manifest = try #require(try stored.store.manifest(stored.id))
      let wrong = try StoreAudit(of: stored.store, threadCount: 2).chunks { _ in }.wrong
      let shortage = try StoreAudit(of: stored.store).shortage(of: manifest, wrong: wrong)
      let ids = Set(shortage.chunks.map { stored.files.chunk($0.id, suffix: compresses ? ".zst" : "") })
      #expect(ids.isSubset(of: lost), "\(random)")
      #expect(lost.subtracting(ids).isEmpty, "\(random)")
      // Nothing has to be recovered: putting the file in again is enough.
      #expect(try stored.add(stored.content) == stored.id)
      #expect(try stored.isWhole())
      #expect(try StoreAudit(of: stored.store).chunks { _ in }.wrong.isEmpty)
    }
  }
}
