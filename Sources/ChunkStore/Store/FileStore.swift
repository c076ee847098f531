package import ChunkCore
package import ChunkSystem

/// A directory of chunks, which many processes use at once.
///
/// Read `Spec/store-v1.md` first; the invariants S1 to S10 that comments name are there. There is no index: state is what
/// lies in the directory, and presence is asked for by name. Any thread may call anything.
package final class FileStore: ChunkStoring {
  /// The directory, as it was given.
  package let path: String
  /// Names are relative to this, whatever becomes of the path.
  let root: SharedDirectory

  /// How chunks are put in, and who may read them.
  let manner: StoreManner
  /// The folders of chunks that are known to be there.
  private let folders = Lock<Set<String>>([])

  init(path: String, root: SharedDirectory, manner: StoreManner) {
    self.path = path
    self.root = root
    self.manner = manner
  }

  // MARK: Reading

  package func contains(_ id: ChunkID) -> Bool {
    StoreLayout.Form.allCases.contains { has(id, in: $0) }
  }

  /// Whether there is something under the name that the chunk has in this form.
  func has(_ id: ChunkID, in form: StoreLayout.Form) -> Bool {
    do throws(Errno) {
      return try root.directory.status(StoreLayout.chunk(id, form))?.kind == .regular
    } catch {
      return false
    }
  }

  package var claimCount: Int { StoreLayout.Form.allCases.count }

  package func read(claim: Int, of id: ChunkID, into buffer: ChunkBuffer) -> Bool {
    read(StoreLayout.Form.allCases[claim], of: id, into: buffer)
  }

  private func read(_ form: StoreLayout.Form, of id: ChunkID, into buffer: ChunkBuffer) -> Bool {
    guard let file = open(id, form) else { return false }
    do throws(Errno) {
      let size = try file.descriptor.status().size
      switch form {
      case .plain:
        return size == UInt64(buffer.length) ? try buffer.fill(from: file.descriptor, at: 0) : false
      case .compressed:
        guard size <= UInt64(buffer.length), let frame = try file.read(count: Int(size)) else { return false }
        return buffer.fill { ChunkCompression.decompress(frame.span, into: &$0) }
      }
    } catch {
      return false
    }
  }

  package func file(of id: ChunkID) -> OpenFile? { open(id, .plain) }

  /// The file of a chunk, when it can be opened and is a regular one.
  func open(_ id: ChunkID, _ form: StoreLayout.Form) -> OpenFile? {
    do throws(Errno) {
      let mode = OpenMode(.read, followsLinks: false, waits: false)
      let file = OpenFile(try root.directory.open(StoreLayout.chunk(id, form), mode))
      return try file.descriptor.status().kind == .regular ? file : nil
    } catch {
      return nil
    }
  }

  // MARK: Writing

  package func put(_ chunk: VerifiedChunk) throws(StoreError) {
    try chunk.storage.withSealedBytes { bytes throws(StoreError) in
      let frame = manner.forms == .plain ? nil : ChunkCompression.compress(bytes)
      if let frame { try put(chunk.id, .compressed, frame.span) }
      if frame == nil || manner.forms == .both { try put(chunk.id, .plain, bytes) }
    }
  }

  private func put(_ id: ChunkID, _ form: StoreLayout.Form, _ bytes: Span<UInt8>) throws(StoreError) {
    do throws(Errno) {
      try makeFolder(StoreLayout.fanOut(id))
      try publish(StoreLayout.chunk(id, form), bytes)
    } catch {
      throw StoreError(error, "cannot keep a chunk in the store", path: path)
    }
  }

  package func add(_ chunk: VerifiedChunk) throws(StoreError) -> Bool {
    guard manner.forms == .both else { return try addIfMissing(chunk) }
    return try chunk.storage.withSealedBytes { bytes throws(StoreError) in
      var isNew = false
      if !has(chunk.id, .plain, with: bytes) {
        try put(chunk.id, .plain, bytes)
        isNew = true
      }
      if let frame = ChunkCompression.compress(bytes), !has(chunk.id, .compressed, with: frame.span) {
        try put(chunk.id, .compressed, frame.span)
        isNew = true
      }
      return isNew
    }
  }

  /// Whether the chunk lies there in this form with these bytes.
  private func has(_ id: ChunkID, _ form: StoreLayout.Form, with bytes: Span<UInt8>) -> Bool {
    guard let file = open(id, form) else { return false }
    do throws(Errno) {
      guard try file.descriptor.status().size == UInt64(bytes.count), let found = try file.read(count: bytes.count)
      else { return false }
      return SHA256Hasher.hash(found.span) == SHA256Hasher.hash(bytes)
    } catch {
      return false
    }
  }

  private func makeFolder(_ name: String) throws(Errno) {
    if folders.withLock({ $0.contains(name) }) { return }
    try makeDirectory(name)
    folders.withLock { _ = $0.insert(name) }
  }

  /// Makes a folder unless it is there.
  func makeDirectory(_ name: String) throws(Errno) {
    do throws(Errno) {
      try root.directory.makeDirectory(name)
      if manner.isPublic { try root.directory.openDirectory(name).descriptor.setPermissions(0o755) }
    } catch .alreadyExists {}
  }

  /// Waits until everything that was put in is on the medium (S4).
  package func sync() throws(StoreError) {
    try StoreError.wrap("cannot bring the store to the medium", path: path) { () throws(Errno) in
      try root.directory.descriptor.syncFileSystem()
    }
  }
}

extension OpenFile {
  /// The first `count` bytes; `nil` when there are fewer.
  func read(count: Int) throws(Errno) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var span = bytes.mutableSpan
    return try descriptor.pread(into: &span, at: 0) == count ? bytes : nil
  }
}
