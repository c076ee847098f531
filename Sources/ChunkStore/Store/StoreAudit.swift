package import ChunkCore
internal import ChunkSystem

/// Hashes everything in a store on all processors.
package struct StoreAudit {
  /// A file that is not what its name says.
  package struct WrongFile: Hashable, Sendable {
    package let id: ChunkID
    package let form: StoreLayout.Form
  }

  /// What a manifest wants in vain.
  package struct Shortage: Hashable, Sendable {
    package let file: FileID
    /// Chunks of which no file is right, in the order in which the file has them.
    package let chunks: [ExpectedChunk]
    package let bytes: UInt64
  }

  let store: FileStore
  private let threadCount: Int

  package init(of store: FileStore, threadCount: Int = DedicatedThread.processorCount) {
    self.store = store
    self.threadCount = max(1, threadCount)
  }

  // MARK: Chunks

  /// Hashes every chunk. Blocks until that is done: not for the cooperative pool. What a prune takes away meanwhile is not wrong.
  ///
  /// - Parameters:
  ///   - progress: Is told of bytes that were read, and can stop it.
  ///   - report: Gets each wrong file, in no certain order, one call at a time.
  /// - Returns: How many chunk files there are, and the wrong ones.
  /// - Throws: ``StoreError`` when a folder cannot be listed, and when it was stopped.
  package func chunks(
    progress: HashingProgress = HashingProgress(), report: @escaping @Sendable (WrongFile) -> Void
  ) throws(StoreError) -> (fileCount: Int, wrong: Set<WrongFile>) {
    let found = Lock((fileCount: 0, wrong: Set<WrongFile>()))
    let store = store
    let work = SharedWork(name: "audit", count: StoreLayout.fanOuts.count, threadCount: threadCount)
    try work.run(isStopped: { progress.isCancelled }, makeWorker: { AuditRun(store: store) }) {
      run, number throws(StoreError) in
      let count = try run.look(at: StoreLayout.fanOuts[number], progress: progress) { wrong in
        found.withLock { found in
          found.wrong.insert(wrong)
          report(wrong)
        }
      }
      found.withLock { $0.fileCount += count }
    }
    if progress.isCancelled { throw StoreError(.cancelled, "the verification was stopped", path: store.path) }
    return found.withLock { $0 }
  }

  /// Whether a file is what its name says, hashed now.
  func isRight(_ file: WrongFile) -> Bool {
    guard let opened = store.open(file.id, file.form), let buffer = AuditRun(store: store).fill(from: opened, file.form)
    else { return false }
    let candidate = ChunkCandidate(index: ChunkIndex(0), expected: file.id, storage: buffer)
    if case .verified? = ChunkVerifier().verify([candidate]).first { return true }
    return false
  }

  // MARK: Files

  /// What a manifest wants and the store does not have, once it is known which files are wrong.
  package func shortage(of stored: StoredManifest, wrong: Set<WrongFile>) throws(StoreError) -> Shortage {
    var chunks: [ExpectedChunk] = []
    var bytes: UInt64 = 0
    try stored.forEachChunk { chunk, length in
      let isThere = StoreLayout.Form.allCases.contains { form in
        !wrong.contains(WrongFile(id: chunk.id, form: form)) && store.has(chunk.id, in: form)
      }
      guard !isThere else { return }
      chunks.append(chunk)
      bytes += UInt64(length)
    }
    return Shortage(file: stored.manifest.fileID, chunks: chunks, bytes: bytes)
  }
}

/// What one thread of an audit has: buffers for a batch of chunks.
private struct AuditRun {
  let store: FileStore
  /// Memory is taken only as far as it is filled, and chunks are mostly far shorter.
  private let pool = BufferPool(budget: 16 * ChunkSize.maximum.bytes, chunkSize: ChunkSize.maximum.bytes)
  private let verifier = ChunkVerifier()

  init(store: FileStore) {
    self.store = store
  }

  /// - Returns: How many files the folder has.
  func look(
    at folder: String, progress: HashingProgress, report: (StoreAudit.WrongFile) -> Void
  ) throws(StoreError) -> Int {
    var files: [StoreAudit.WrongFile] = []
    try store.forEachChunkFile(in: folder) { id, form in files.append(.init(id: id, form: form)) }
    var rest = files[...]
    while !rest.isEmpty, !progress.isCancelled {
      let batch = rest.prefix(pool.capacity)
      rest = rest.dropFirst(batch.count)
      var read: [(file: StoreAudit.WrongFile, candidate: ChunkCandidate)] = []
      for file in batch {
        guard let opened = store.open(file.id, file.form) else {
          // Gone is not wrong; something else under the name is.
          if store.has(file.id, in: file.form) { report(file) }
          continue
        }
        guard let buffer = fill(from: opened, file.form) else {
          report(file)
          continue
        }
        progress.add(UInt64(buffer.filled))
        // The place in a file is nobody's concern here.
        read.append((file, ChunkCandidate(index: ChunkIndex(0), expected: file.id, storage: buffer)))
      }
      for ((file, _), verdict) in zip(read, verifier.verify(read.map(\.candidate))) {
        if case .wrong = verdict { report(file) }
      }
    }
    return files.count
  }

  func fill(from file: OpenFile, _ form: StoreLayout.Form) -> ChunkBuffer? {
    do throws(Errno) {
      let size = try file.descriptor.status().size
      guard size <= UInt64(ChunkSize.maximum.bytes) else { return nil }
      let buffer: ChunkBuffer?
      switch form {
      case .plain:
        buffer = pool.take(length: Int(size))
        guard try buffer?.fill(from: file.descriptor, at: 0) == true else { return nil }
      case .compressed:
        guard let frame = try file.read(count: Int(size)), let length = ChunkCompression.length(of: frame.span) else {
          return nil
        }
        buffer = pool.take(length: length)
        guard buffer?.fill({ ChunkCompression.decompress(frame.span, into: &$0) }) == true else { return nil }
      }
      buffer?.seal()
      return buffer
    } catch {
      return nil
    }
  }
}
