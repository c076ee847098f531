import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// What lies in the directory of a store, as `Spec/store-v1.md` has it.
struct FileStoreTests {
  @Test func `the layout is that of the page`() throws {
    let stored = try StoredFile()
    #expect(
      try TestFile.names(in: stored.store.path) == ["chunks", "format", "leases", "lock", "manifests", "pins", "tmp"])
    #expect(try TestFile.read(stored.store.path + "/format") == Array("chunk store 1\n".utf8))
    #expect(try stored.files.names(in: "manifests") == ["\(stored.id).chunks"])
    #expect(try stored.files.names(in: "tmp").isEmpty)
    #expect(try stored.files.names(in: "leases").isEmpty, "the lease went with what it was for")
    let ids = StoredFile.chunks(of: stored.content)
    #expect(Set(try stored.files.chunks) == Set(ids.map { stored.files.chunk($0) }))
    for path in try stored.files.chunks {
      let status = try FileSystem().status(path)
      #expect(status.permissions.rawValue & 0o222 == 0, "nobody writes to a chunk")
      #expect(path.hasSuffix("/\(StoreSample.id(try TestFile.read(path)))"), "sha256sum prints the name")
    }
  }

  @Test func `the second reader agrees`() async throws {
    for compresses in [false, true] {
      let stored = try StoredFile(
        StoreSample.contents[0] + StoreSample.contents[3] + [1, 2, 3], compresses: compresses)
      #expect(try stored.files.chunks.contains { $0.hasSuffix(".zst") } == compresses)
      let script = PackagePaths.root + "/Spec/reference/chunkstore.py"
      let check = try await Subprocess("python3", ["-B", script, "check", stored.store.path]).run()
      #expect(check.status == 0 && check.output.isEmpty, "\(check)")
      let output = stored.directory.path("exported")
      let export = try await Subprocess("python3", ["-B", script, "export", stored.store.path, "\(stored.id)", output])
        .run()
      #expect(export.status == 0, "\(export)")
      #expect(try TestFile.read(output).elementsEqual(stored.content))
    }
  }

  @Test func `what compresses well is kept compressed, the rest as it is`() throws {
    let stored = try StoredFile(compresses: true)
    let even = try StoreSample.chunk(StoreSample.contents[4])
    try stored.store.put(even)
    #expect(!TestFile.exists(stored.files.chunk(even.id)))
    #expect(try TestFile.size(stored.files.chunk(even.id, suffix: ".zst")) < 1000)
    #expect(try stored.files.chunks.count { $0.hasSuffix(".zst") } == 1, "noise does not compress")
  }

  @Test func `of two forms one is enough`() throws {
    let stored = try StoredFile(compresses: true)
    let plain = try FileStore.open(stored.store.path)
    let bytes = StoreSample.contents[4]
    let chunk = try StoreSample.chunk(bytes)
    try stored.store.put(chunk)
    try plain.put(chunk)
    let files = [stored.files.chunk(chunk.id), stored.files.chunk(chunk.id, suffix: ".zst")]
    for damaged in files {
      let kept = try TestFile.read(damaged)
      try stored.files.replace(damaged, with: [1, 2, 3])
      #expect(StoreSample.bytes(stored.store.get(chunk.expected, length: bytes.count)) == bytes)
      try stored.files.replace(damaged, with: kept)
    }
    for damaged in files { try TestFile.remove(damaged) }
    #expect(stored.store.get(chunk.expected, length: bytes.count) == nil)
  }

  @Test func `a directory of something else is not made a store`() throws {
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "precious")
    #expect(throws: StoreError(.notUsable, "", path: "")) { try FileStore.open(directory.path, isMade: true) }
    #expect(try directory.names() == ["precious"])
    #expect(throws: StoreError(.missing, "", path: "")) { try FileStore.open(directory.path("none")) }
    #expect(throws: StoreError(.missing, "", path: "")) { try FileStore.open(directory.path) }
    try directory.write(Array("chunk store 2\n".utf8), to: "format")
    #expect(throws: StoreError(.notUsable, "", path: "")) { try FileStore.open(directory.path, isMade: true) }
  }

  @Test func `one that was killed while it was made is made by the next`() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    for steps in 0..<4 {
      try? TestFile.makeDirectory(path)
      for name in ["chunks", "tmp", "lock"].prefix(steps) where !TestFile.exists("\(path)/\(name)") {
        try TestFile.makeDirectory("\(path)/\(name)")
      }
      if steps == 3 { try TestFile.write([], to: "\(path)/tmp/0123") }
    }
    let store = try FileStore.open(path, isMade: true)
    try store.put(StoreSample.chunk(StoreSample.contents[0]))
    #expect(store.contains(StoreSample.id(StoreSample.contents[0])))
  }

  @Test func `links and folders under the name of a chunk are not followed`() throws {
    let stored = try StoredFile()
    let ids = StoredFile.chunks(of: stored.content)
    let elsewhere = try stored.directory.write(Array(stored.content[..<4096]), to: "elsewhere")
    try TestFile.remove(stored.files.chunk(ids[0]))
    try TestFile.link(stored.files.chunk(ids[0]), to: elsewhere)
    try TestFile.remove(stored.files.chunk(ids[1]))
    try TestFile.makeDirectory(stored.files.chunk(ids[1]))
    for id in ids[..<2] {
      #expect(!stored.store.contains(id))
      #expect(stored.store.get(ExpectedChunk(index: ChunkIndex(0), id: id), length: 4096) == nil)
    }
  }

  @Test func `a zstd bomb is a wrong chunk`() async throws {
    let stored = try StoredFile()
    let target = StoreSample.contents[0]
    let id = StoreSample.id(target)
    let expected = ExpectedChunk(index: ChunkIndex(0), id: id)
    // Says nothing of its size; says too much; two frames; a skippable one; a right one that is cut, or has more behind it.
    let bomb = try await compressed([UInt8](repeating: 0, count: 64 << 20), ["--no-content-size"])
    let large = try await compressed([UInt8](repeating: 0, count: 64 << 20), [])
    let right = try await compressed(target, ["-19"])
    let skippable: [UInt8] = [0x50, 0x2A, 0x4D, 0x18, 0, 0, 0, 0]
    let parts = try await compressed(Array(target[..<2048]), []) + compressed(Array(target[2048...]), [])
    for frame in [bomb, large, parts, skippable + right, right + skippable, Array(right.dropLast()), right + [0], []] {
      try stored.files.makeFolder(id)
      try TestFile.write(frame, to: stored.files.chunk(id, suffix: ".zst"))
      #expect(stored.store.get(expected, length: target.count) == nil, "\(frame.count) bytes")
      let wrong = try StoreAudit(of: stored.store, threadCount: 1).chunks { _ in }.wrong
      #expect(wrong.map(\.id) == [id], "\(frame.count) bytes")
      try TestFile.remove(stored.files.chunk(id, suffix: ".zst"))
    }
  }

  private func compressed(_ bytes: [UInt8], _ options: [String]) async throws -> [UInt8] {
    var zstd = Subprocess("zstd", ["-q", "-c", "--no-check"] + options)
    zstd.input = .bytes(bytes)
    let result = try await zstd.run()
    try #require(result.status == 0, "\(result)")
    return result.output
  }
}
