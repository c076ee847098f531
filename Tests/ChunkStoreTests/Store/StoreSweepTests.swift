import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// What a prune removes, and above all what it leaves.
struct StoreSweepTests {
  private func sweep(_ store: FileStore, maximumSize: UInt64? = nil, isDryRun: Bool = false) throws -> StoreSweep.Report
  {
    try StoreFiles(store.path).waitForTick()
    var sweep = StoreSweep(of: store, maximumSize: maximumSize, isDryRun: isDryRun)
    return try sweep.run()
  }

  @Test func `what no manifest wants goes, what one wants stays`() throws {
    let stored = try StoredFile()
    for bytes in StoreSample.contents { try stored.store.put(StoreSample.chunk(bytes)) }
    let before = try stored.files.chunks
    let planned = try sweep(stored.store, isDryRun: true)
    #expect(try stored.files.chunks == before, "a dry run changes nothing")
    let done = try sweep(stored.store)
    #expect(done == planned)
    #expect(done.chunkCount == StoreSample.contents.count)
    #expect(done.byteCount == UInt64(StoreSample.contents.reduce(0) { $0 + $1.count }))
    #expect(Set(try stored.files.chunks) == Set(StoredFile.chunks(of: stored.content).map { stored.files.chunk($0) }))
    #expect(try stored.isWhole())
    #expect(try sweep(stored.store).chunkCount == 0)
  }

  @Test func `files that share chunks keep them`() throws {
    let stored = try StoredFile()
    var random = SeededRandom(seed: 5)
    let other = Array(stored.content[..<(8 * 4096)]) + random.bytes(count: 4096)
    let id = try stored.add(other)
    try TestFile.remove(stored.store.manifestPath(stored.id))
    #expect(try sweep(stored.store).chunkCount == 12)
    #expect(try stored.isWhole(id, is: other))
  }

  @Test func `for room the manifest that was unused longest goes first, never a pinned or leased one`() throws {
    let stored = try StoredFile(chunkCount: 4, seed: 1)
    var ids = [stored.id]
    for seed in 2...5 {
      var random = SeededRandom(seed: UInt64(seed))
      ids.append(try stored.add(random.bytes(count: 4 * 4096)))
    }
    // Used again, so that it is the youngest.
    let lease = try stored.store.lease([ids[0]])
    try stored.store.pin(ids[1])
    let report = try sweep(stored.store, maximumSize: 40_000)
    #expect(report.manifests == [ids[2], ids[3], ids[4]])
    #expect(report.keptByteCount <= 40_000)
    #expect(Set(try stored.store.manifestIDs()) == [ids[0], ids[1]])
    #expect(try sweep(stored.store, maximumSize: 0).manifests.isEmpty, "what is held stays whatever is said")
    extendLifetime(lease)
    #expect(try stored.store.unpin(ids[1]))
    #expect(try !stored.store.unpin(ids[1]))
  }

  @Test func `a lease holds what it names, and goes with its process`() throws {
    let stored = try StoredFile()
    func attempt() throws -> [FileID] { try sweep(stored.store, maximumSize: 0, isDryRun: true).manifests }
    var lease: StoreLease? = try stored.store.lease([stored.id])
    #expect(try attempt().isEmpty)
    #expect(try stored.files.names(in: "leases").count == 1)
    extendLifetime(lease)
    lease = nil
    #expect(try attempt() == [stored.id])
    // That of a process that was killed is not locked.
    try TestFile.write(Array("\(stored.id)\n".utf8), to: stored.store.path + "/leases/0123")
    #expect(try attempt() == [stored.id])
    #expect(try sweep(stored.store).manifests.isEmpty)
    #expect(try stored.files.names(in: "leases").isEmpty)
  }

  @Test func `a lease that cannot be understood wants everything`() throws {
    let stored = try StoredFile()
    try stored.store.put(StoreSample.chunk(StoreSample.contents[0]))
    let path = stored.store.path + "/leases/0123"
    try TestFile.write(Array("something of a later version\n".utf8), to: path)
    let file = try FileSystem().open(path, .readWrite)
    #expect(try file.tryLock(.exclusive))
    let before = try stored.files.chunks
    let report = try sweep(stored.store, maximumSize: 0)
    #expect(report.manifests.isEmpty && report.chunkCount == 0)
    #expect(try stored.files.chunks == before)
  }

  @Test func `a manifest that does not verify ends the prune before it has begun`() throws {
    let stored = try StoredFile()
    try stored.store.put(StoreSample.chunk(StoreSample.contents[0]))
    let path = stored.store.manifestPath(stored.id)
    var manifest = try TestFile.read(path)
    manifest[manifest.count - 1] ^= 1
    try stored.files.replace(path, with: manifest)
    let before = try stored.files.chunks
    #expect(throws: StoreError(.damaged, "", path: "")) { try sweep(stored.store, maximumSize: 0) }
    #expect(try stored.files.chunks == before)
  }

  @Test func `files of writers that are gone go, those of writers at work stay`() throws {
    let stored = try StoredFile()
    try TestFile.write([1], to: stored.store.path + "/tmp/gone")
    let path = stored.store.path + "/tmp/at work"
    try TestFile.write([1], to: path)
    let writer = try FileSystem().open(path, .readWrite)
    #expect(try writer.tryLock(.exclusive))
    _ = try sweep(stored.store)
    #expect(try stored.files.names(in: "tmp") == ["at work"])
  }

  @Test func `names that are none of ours are left alone`() throws {
    let stored = try StoredFile()
    let folder = stored.store.path + "/chunks/"
    try? TestFile.makeDirectory(folder + "ab")
    try? TestFile.makeDirectory(folder + "others")
    let id = StoreSample.id([1])
    let names = ["ab/readme", "ab/\(id.hex).gz", "others/\(id.hex)", "\(id.hex)"]
    for name in names { try TestFile.write([1], to: folder + name) }
    #expect(try sweep(stored.store).chunkCount == 0)
    for name in names { #expect(TestFile.exists(folder + name)) }
  }
}
