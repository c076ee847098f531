package import ChunkCore
package import ChunkSystem

/// A chunk of a file that is not what the manifest says.
package struct BadChunk: Hashable, Sendable {
  package let index: ChunkIndex
  package let range: ByteRange
  package let expected: ChunkID
  /// What is there; never ``ScannedChunk/Finding/right``.
  package let finding: ScannedChunk.Finding
}

/// How a file compares with its manifest.
package struct FileVerification: Hashable, Sendable {
  /// The length the file has.
  package let length: UInt64
  /// The length it is to have.
  package let expectedLength: UInt64
  package let badChunkCount: Int

  /// Whether it is the file, byte by byte.
  package var isRight: Bool { badChunkCount == 0 && length == expectedLength }
}

/// Compares a file with its chunk IDs on all processors.
package struct FileVerifier: Sendable {
  private let files: FileSystem
  private let kernel: HashKernel
  private let threadCount: Int?

  /// By default there are as many threads as keep the processors busy.
  package init(files: FileSystem = FileSystem(), kernel: HashKernel = .best, threadCount: Int? = nil) {
    self.files = files
    self.kernel = kernel
    self.threadCount = threadCount.map { max(1, $0) }
  }

  /// Reads the file once. Blocks until that is done: not for the cooperative pool. Takes about 1 MiB a thread.
  ///
  /// - Parameters:
  ///   - path: A regular file, or a link to one.
  ///   - geometry: How the file is to be cut.
  ///   - ids: The IDs of the chunks of a group, in order; called from several threads.
  ///   - progress: Is told how far it is, and can stop it.
  ///   - report: Gets each bad chunk, from front to back, one call at a time.
  /// - Returns: How the two compare.
  /// - Throws: ``StoreError``, with ``StoreError/Code/changed`` when someone wrote to the file meanwhile. What cannot be
  ///   read is a bad chunk and no error.
  package func verify(
    _ path: String, geometry: ChunkGeometry, ids: @escaping @Sendable (_ group: Int) -> [ChunkID],
    progress: HashingProgress = HashingProgress(), report: @escaping @Sendable (BadChunk) -> Void
  ) throws(StoreError) -> FileVerification {
    let input = try InputFile(path, files: files)
    progress.begin(total: geometry.fileLength)
    let batches = ChunkBatches(geometry: geometry)
    let listing = Lock(Listing<BadChunk>())
    let kernel = kernel
    let reader = FileReader(pastCache: input.file)
    DedicatedThread.concurrently(threadCount ?? reader.threadCount, name: "verify") { _ in
      var scan = ChunkScan(reader, geometry: geometry, kernel: kernel)
      while !progress.isCancelled, let (number, chunks) = batches.take() {
        var bad: [BadChunk] = []
        let expected = chunks.expected(geometry, ids)
        scan.run(expected) { findings in
          for found in findings where !found.isRight {
            let place = chunks.lowerBound.distance(to: found.index)
            bad.append(
              BadChunk(
                index: found.index, range: geometry.range(of: found.index), expected: expected[place].id,
                finding: found.finding))
          }
          return !progress.isCancelled
        }
        progress.add(geometry.range(of: chunks).count)
        listing.withLock { $0.add(bad.sorted { $0.index < $1.index }, of: number, report) }
      }
    }
    if progress.isCancelled { throw StoreError(.cancelled, "the verification was stopped", path: path) }
    try input.checkUnchanged()
    return FileVerification(
      length: input.status.size, expectedLength: geometry.fileLength, badChunkCount: listing.withLock { $0.count })
  }
}

extension Range<ChunkIndex> {
  /// The chunks with their IDs, which are asked for a group at a time.
  func expected(
    _ geometry: ChunkGeometry, _ ids: @Sendable (_ group: Int) -> [ChunkID]
  ) -> [ExpectedChunk] {
    var expected: [ExpectedChunk] = []
    var chunk = lowerBound
    while chunk < upperBound {
      let group = geometry.group(of: chunk)
      let members = geometry.chunks(inGroup: group)
      let page = ids(group)
      for index in chunk..<Swift.min(members.upperBound, upperBound) {
        expected.append(ExpectedChunk(index: index, id: page[members.lowerBound.distance(to: index)]))
      }
      chunk = Swift.min(members.upperBound, upperBound)
    }
    return expected
  }
}
