import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// What every store does, whatever it is made of.
struct StoreConformanceTests {
  /// A store to be tested, with a way to damage it behind its back.
  struct Subject: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () throws -> Stored

    var testDescription: String { name }
  }

  struct Stored: Sendable {
    let store: any ChunkStoring
    /// Puts other bytes under the name of a chunk.
    let pretend: @Sendable ([UInt8], ChunkID) throws -> Void
    /// What has to live as long as the store.
    var directory: TemporaryDirectory?
  }

  static let subjects = [
    Subject(name: "memory") {
      let store = MemoryStore()
      return Stored(store: store, pretend: { store.pretend($0, to: $1) })
    },
    Subject(name: "file") { try file(compresses: false) },
    Subject(name: "file, compressed") { try file(compresses: true) },
  ]

  private static func file(compresses: Bool) throws -> Stored {
    let directory = try TemporaryDirectory()
    let path = directory.path("store")
    let store = try FileStore.open(path, isMade: true, compresses: compresses)
    return Stored(
      store: store, pretend: { try StoreFiles(path).replace($1, with: $0) }, directory: directory)
  }

  @Test(arguments: subjects) func `what was put in is had back`(_ subject: Subject) throws {
    let stored = try subject.make()
    for (number, bytes) in StoreSample.contents.enumerated() {
      let chunk = try StoreSample.chunk(bytes)
      #expect(!stored.store.contains(chunk.id), "content \(number)")
      #expect(stored.store.get(chunk.expected, length: bytes.count) == nil)
      try stored.store.put(chunk)
      #expect(stored.store.contains(chunk.id))
      #expect(StoreSample.bytes(stored.store.get(chunk.expected, length: bytes.count)) == bytes, "content \(number)")
      try stored.store.put(chunk)
      #expect(StoreSample.bytes(stored.store.get(chunk.expected, length: bytes.count)) == bytes, "content \(number)")
    }
  }

  @Test(arguments: subjects) func `a chunk of another length is missing`(_ subject: Subject) throws {
    let stored = try subject.make()
    let bytes = StoreSample.contents[0]
    let chunk = try StoreSample.chunk(bytes)
    try stored.store.put(chunk)
    for length in [1, bytes.count - 1, bytes.count + 1] {
      #expect(stored.store.get(chunk.expected, length: length) == nil)
    }
  }

  @Test(arguments: subjects) func `a name is not believed, and what is wrong is replaced`(_ subject: Subject) throws {
    let stored = try subject.make()
    for bytes in StoreSample.contents {
      let chunk = try StoreSample.chunk(bytes)
      try stored.store.put(chunk)
      var flipped = bytes
      flipped[bytes.count / 2] ^= 1
      for wrong in [flipped, [UInt8](repeating: 0, count: bytes.count), Array(bytes.dropLast()), bytes + [0], []] {
        try stored.pretend(wrong, chunk.id)
        let found = StoreSample.bytes(stored.store.get(chunk.expected, length: bytes.count))
        #expect(found == nil, "\(wrong.count) wrong bytes for \(bytes.count)")
      }
      try stored.store.put(chunk)
      #expect(StoreSample.bytes(stored.store.get(chunk.expected, length: bytes.count)) == bytes)
    }
  }

  @Test(arguments: subjects) func `one that is only read gives what it has and takes nothing`(_ subject: Subject) throws
  {
    let stored = try subject.make()
    let store = ReadOnlyStore(stored.store)
    let (there, new) = (try StoreSample.chunk(StoreSample.contents[0]), try StoreSample.chunk(StoreSample.contents[1]))
    try stored.store.put(there)
    #expect(throws: StoreError(.readOnly, "", path: "")) { try store.put(new) }
    #expect(!store.contains(new.id))
    #expect(
      StoreSample.bytes(store.get(there.expected, length: StoreSample.contents[0].count)) == StoreSample.contents[0])
  }

  @Test(arguments: subjects) func `many threads put in and read the same chunks`(_ subject: Subject) throws {
    let stored = try subject.make()
    let chunks = try StoreSample.contents.map { try StoreSample.chunk($0) }
    let failures = Lock<[String]>([])
    DedicatedThread.concurrently(4, name: "test") { _ in
      for _ in 0..<5 {
        for (chunk, bytes) in zip(chunks, StoreSample.contents) {
          do {
            try stored.store.put(chunk)
            guard StoreSample.bytes(stored.store.get(chunk.expected, length: bytes.count)) == bytes else {
              failures.withLock { $0.append("\(bytes.count) bytes") }
              return
            }
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
  }
}
