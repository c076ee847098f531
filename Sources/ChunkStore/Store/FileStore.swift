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

  /// Whether chunks are put in compressed where that saves something.
  private let compresses: Bool
  /// The folders of chunks that are known to be there.
  private let folders = Lock<Set<String>>([])

  init(path: String, root: SharedDirectory, compresses: Bool) {
    self.path = path
    self.root = root
    self.compresses = compresses
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
      let frame = compresses ? ChunkCompression.compress(bytes) : nil
      do throws(Errno) {
        try makeFolder(StoreLayout.fanOut(chunk.id))
        if let frame {
          try publish(StoreLayout.chunk(chunk.id, .compressed), frame.span)
        } else {
          try publish(StoreLayout.chunk(chunk.id, .plain), bytes)
        }
      } catch {
        throw StoreError(error, "cannot keep a chunk in the store", path: path)
      }
    }
  }

  private func makeFolder(_ name: String) throws(Errno) {
    if folders.withLock({ $0.contains(name) }) { return }
    do throws(Errno) { try root.directory.makeDirectory(name) } catch .alreadyExists {}
    folders.withLock { _ = $0.insert(name) }
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
