package import ChunkCore
package import ChunkSystem

/// What there is to know of a file to make its manifest.
package struct HashedFile: Sendable {
  package let geometry: ChunkGeometry
  /// The IDs of all chunks, in order.
  package let chunkIDs: [ChunkID]
  /// The SHA-256 of the file, if it was asked for.
  package let wholeFile: SHA256Digest?
  /// The weak hashes of all chunks, in order, if they were asked for.
  package internal(set) var weakHashes: [UInt64]?
  /// What the file was when it was hashed.
  let status: FileStatus
}

/// Hashes the chunks of a file on all processors.
package struct ManifestBuilder: Sendable {
  private let files: FileSystem
  private let kernel: HashKernel
  private let threadCount: Int?

  /// By default there are as many threads as keep the processors busy.
  package init(files: FileSystem = FileSystem(), kernel: HashKernel = .best, threadCount: Int? = nil) {
    self.files = files
    self.kernel = kernel
    self.threadCount = threadCount.map { max(1, $0) }
  }

  /// Reads the file once and hashes it. Blocks until that is done: not for the cooperative pool.
  ///
  /// Holes are not read. Besides the IDs, which take 32 bytes a chunk, it takes about 1 MiB a thread.
  ///
  /// - Parameters:
  ///   - path: A regular file, or a link to one.
  ///   - chunkSize: By default what is recommended for the length of the file.
  ///   - wholeFile: Whether the SHA-256 of the whole is made as well. It cannot be made by several processors, so it takes
  ///     as long as one needs for the file.
  ///   - weak: Whether the chunks' weak hashes are made as well, for which the file is read once more.
  ///   - progress: Is told how far it is, and can stop it.
  /// - Returns: All that a manifest says of the file's bytes.
  /// - Throws: ``StoreError``, with ``StoreError/Code/changed`` when someone wrote to the file meanwhile, and
  ///   ``StoreError/Code/notUsable`` when the file has too many chunks of this size.
  package func hash(
    _ path: String, chunkSize: ChunkSize? = nil, wholeFile: Bool = false, weak: Bool = false,
    progress: HashingProgress = HashingProgress()
  ) throws(StoreError) -> HashedFile {
    let input = try InputFile(path, files: files)
    let length = input.status.size
    let geometry: ChunkGeometry
    do throws(ManifestError) {
      geometry = try ChunkGeometry(
        fileLength: length, chunkSize: chunkSize ?? ChunkSize.recommended(fileLength: length))
    } catch {
      throw StoreError(.notUsable, error.message, path: path)
    }
    progress.begin(total: weak ? 2 * length : length)
    // What is read twice is read from the page cache the second time.
    let reader = wholeFile || weak ? FileReader(input.file) : FileReader(pastCache: input.file)
    let run = HashingRun(input: input, reader: reader, geometry: geometry, wholeFile: wholeFile, progress: progress)
    let kernel = kernel
    let lanes = threadCount ?? reader.threadCount
    // Number zero waits for nobody, and the lanes for the whole file: see `concurrently`.
    DedicatedThread.concurrently(wholeFile ? lanes + 1 : lanes, name: "hash") { number in
      if wholeFile, number == 0 {
        run.hashWholeFile()
      } else {
        run.hashChunks(kernel: kernel)
      }
    }
    var result = try run.result()
    if weak {
      result.weakHashes = try WeakHashing(input: input, geometry: geometry, progress: progress).run(lanes)
    }
    try input.checkUnchanged()
    return result
  }
}
