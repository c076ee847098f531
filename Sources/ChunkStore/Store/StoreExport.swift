internal import ChunkCore
internal import ChunkSystem

/// Writes a file from a store alone, on all processors.
///
/// It goes through `NAME.part` like a download, so that the name has the whole file or what it had before, and a download can
/// go on where something was missing.
package struct StoreExport {
  private let store: FileStore
  private let stored: StoredManifest
  private let threadCount: Int

  package init(of stored: StoredManifest, from store: FileStore, threadCount: Int = DedicatedThread.processorCount) {
    self.store = store
    self.stored = stored
    self.threadCount = max(1, threadCount)
  }

  /// Blocks until it is done.
  ///
  /// - Throws: ``StoreError/Code/missing`` when the store does not have every chunk, right.
  package func write(to output: OutputPath) throws(StoreError) {
    let geometry = stored.manifest.geometry
    let partial = try PartialFile.open(for: output)
    try partial.setLength(geometry.fileLength)
    let total = Lock(0)
    let (stored, store) = (stored, store)
    let copy = StoreCopy(from: store, to: partial, geometry: geometry)
    let run = ExportRun(store: store, partial: partial, geometry: geometry, copy: copy)
    try SharedWork(name: "export", count: geometry.groupCount, threadCount: threadCount).run(makeWorker: { run }) {
      run, group throws(StoreError) in
      let missing = try run.write(try stored.page(group: group))
      total.withLock { $0 += missing }
    }
    let missing = total.withLock { $0 }
    guard missing == 0 else {
      throw StoreError(
        .missing, "\(missing) of \(geometry.chunkCount) chunks are missing; `chunkget store repair` fetches them",
        path: store.path)
    }
    try partial.finish(length: geometry.fileLength)
  }
}

/// Writes a group at a time.
private struct ExportRun: Sendable {
  let store: FileStore
  let partial: PartialFile
  let geometry: ChunkGeometry
  let copy: StoreCopy

  /// - Returns: How many chunks of the page are missing.
  func write(_ page: LeafPage) throws(StoreError) -> Int {
    let chunks = page.chunks.map { ExpectedChunk(index: $0, id: page[$0]) }
    // Most of these are holes, and stay holes.
    let zeros = chunks.filter { $0.id == ZeroChunk.id(length: geometry.length(of: $0.index)) }
    let isZero = Set(zeros.map(\.index))
    var right = Set(partial.right(zeros, in: geometry))
    right.formUnion(try copy.take(chunks.filter { !isZero.contains($0.index) }))
    var missing = 0
    for chunk in chunks where !right.contains(chunk.index) {
      let length = geometry.length(of: chunk.index)
      if let found = isZero.contains(chunk.index) ? chunk.zeros(length) : store.get(chunk, length: length) {
        try partial.write([found], in: geometry)
      } else {
        missing += 1
      }
    }
    return missing
  }
}

extension PartialFile {
  /// Those of the chunks that are in their places, hashed there.
  func right(_ chunks: [ExpectedChunk], in geometry: ChunkGeometry) -> [ChunkIndex] {
    var right: [ChunkIndex] = []
    var scan = ChunkScan(FileReader(file), geometry: geometry)
    scan.run(chunks) { findings in
      right += findings.filter(\.isRight).map(\.index)
      return true
    }
    return right.sorted()
  }
}

extension ExpectedChunk {
  /// The chunk, if it is one of zeros.
  fileprivate func zeros(_ length: Int) -> VerifiedChunk? {
    let buffer = BufferPool(budget: length, chunkSize: length, minimum: 1).take()
    let isFilled = buffer?.fill { bytes in
      for place in bytes.indices { bytes[place] = 0 }
      return true
    }
    guard let buffer, isFilled == true else { return nil }
    buffer.seal()
    let candidate = ChunkCandidate(index: index, expected: id, storage: buffer)
    guard case .verified(let chunk)? = ChunkVerifier().verify([candidate]).first else { return nil }
    return chunk
  }
}
