package import ChunkCore
package import ChunkSystem

/// A frame of a pack that is not that of its chunk.
package struct BadFrame: Hashable, Sendable {
  package enum Finding: Hashable, Sendable {
    /// The pack ends before the frame does.
    case absent
    case unreadable(Errno)
    /// Not one frame of a chunk of this length, as `Spec/pack-v1.md` has it.
    case notTaken
    /// The frame of another chunk.
    case wrong(ChunkID)
  }

  package let index: ChunkIndex
  /// Where the manifest says that it lies in the pack.
  package let range: ByteRange
  package let expected: ChunkID
  package let finding: Finding
}

/// How a pack compares with its manifest.
package struct PackVerification: Hashable, Sendable {
  /// The length the pack has.
  package let length: UInt64
  /// The length it is to have.
  package let expectedLength: UInt64
  package let badFrameCount: Int
  /// Whether its end is the seek table that follows from the manifest.
  package let hasSeekTable: Bool

  /// Whether it is a pack of the file, byte by byte in all that a reader looks at.
  package var isRight: Bool { badFrameCount == 0 && hasSeekTable && length == expectedLength }
}

/// Unpacks every frame of a pack on all processors and compares the chunks with their IDs.
package struct PackVerifier: Sendable {
  private let files: FileSystem
  private let threadCount: Int

  package init(files: FileSystem = FileSystem(), threadCount: Int = DedicatedThread.processorCount) {
    self.files = files
    self.threadCount = max(1, threadCount)
  }

  /// Reads the pack once. Blocks until that is done: not for the cooperative pool. Takes two chunks a thread, and 16 KiB a group.
  ///
  /// - Parameters:
  ///   - path: A regular file, or a link to one.
  ///   - geometry: How the file is cut.
  ///   - frames: Where the frames lie, of all groups in order.
  ///   - ids: The IDs of the chunks of a group, in order; called from several threads.
  ///   - progress: Is told how far it is, and can stop it.
  ///   - report: Gets each bad frame, from front to back, one call at a time.
  /// - Returns: How the two compare.
  /// - Throws: ``StoreError``, with ``StoreError/Code/changed`` when someone wrote to the pack meanwhile. What cannot be read
  ///   is a bad frame and no error.
  package func verify(
    _ path: String, geometry: ChunkGeometry, frames: [PackedFrames],
    ids: @escaping @Sendable (_ group: Int) -> [ChunkID], progress: HashingProgress = HashingProgress(),
    report: @escaping @Sendable (BadFrame) -> Void
  ) throws(StoreError) -> PackVerification {
    let input = try InputFile(path, files: files)
    progress.begin(total: geometry.fileLength)
    let batches = ChunkBatches(geometry: geometry)
    let listing = Lock(Listing<BadFrame>())
    DedicatedThread.concurrently(threadCount, name: "verify pack") { _ in
      let reader = FrameReader(file: input.file, geometry: geometry)
      while !progress.isCancelled, let (number, chunks) = batches.take() {
        var bad: [BadFrame] = []
        for chunk in chunks.expected(geometry, ids) where !progress.isCancelled {
          let range = frames[geometry.group(of: chunk.index)][chunk.index]
          if let finding = reader.finding(chunk, at: range) {
            bad.append(BadFrame(index: chunk.index, range: range, expected: chunk.id, finding: finding))
          }
        }
        progress.add(geometry.range(of: chunks).count)
        listing.withLock { $0.add(bad, of: number, report) }
      }
    }
    if progress.isCancelled { throw StoreError(.cancelled, "the verification was stopped", path: path) }
    let table = SeekTableReader(input: input, geometry: geometry)
    let end = frames.last.map { $0[$0.chunks].end } ?? 0
    let hasSeekTable = try table.isRight(at: end, frames)
    try input.checkUnchanged()
    return PackVerification(
      length: input.status.size, expectedLength: end + SeekTable(geometry).length,
      badFrameCount: listing.withLock { $0.count }, hasSeekTable: hasSeekTable)
  }
}

/// What one thread reads frames into.
private struct FrameReader {
  let file: OpenFile
  let geometry: ChunkGeometry
  private let frame: AlignedBuffer
  private let chunk: AlignedBuffer

  init(file: OpenFile, geometry: ChunkGeometry) {
    self.file = file
    self.geometry = geometry
    frame = AlignedBuffer(capacity: PackFrame.longest(of: geometry.chunkSize.bytes))
    chunk = AlignedBuffer(capacity: geometry.chunkSize.bytes)
  }

  /// What is wrong with a frame; nil when it is that of the chunk.
  func finding(_ expected: ExpectedChunk, at range: ByteRange) -> BadFrame.Finding? {
    let count: Int
    do throws(Errno) {
      // As long as its chunk allows, which is what the buffer has; and this thread's own.
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: frame.bytes[..<Int(range.count)])
      count = try unsafe file.descriptor.pread(into: target, at: range.offset)
    } catch {
      return .unreadable(error)
    }
    guard count == Int(range.count) else { return .absent }
    let length = geometry.length(of: expected.index)
    let isTaken = unsafe frame.withBytes { frame in
      // Inside the buffer, which has a whole chunk's bytes, and this thread's own.
      var target = unsafe MutableSpan<UInt8>(
        _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: chunk.bytes[..<length]))
      return PackFrame.decompress(frame.extracting(first: count), into: &target)
    }
    guard isTaken else { return .notTaken }
    let id = unsafe chunk.withBytes { ChunkID(SHA256Hasher.hash($0.extracting(first: length))) }
    return id == expected.id ? nil : .wrong(id)
  }
}

/// Compares the end of a pack with the seek table it has to have.
private struct SeekTableReader {
  let input: InputFile
  let geometry: ChunkGeometry

  func isRight(at offset: UInt64, _ frames: [PackedFrames]) throws(StoreError) -> Bool {
    let table = SeekTable(geometry)
    guard input.status.size == offset + table.length, try has(table.beginning, at: offset) else { return false }
    var position = offset + UInt64(table.beginning.count)
    for frames in frames {
      var entries: [UInt8] = []
      for chunk in frames.chunks {
        entries += SeekTable.entry(frame: frames[chunk].count, chunk: geometry.length(of: chunk))
      }
      guard try has(entries, at: position) else { return false }
      position += UInt64(entries.count)
    }
    return try has(table.end, at: position)
  }

  private func has(_ wanted: [UInt8], at offset: UInt64) throws(StoreError) -> Bool {
    var bytes = [UInt8](repeating: 0, count: wanted.count)
    var span = bytes.mutableSpan
    do throws(Errno) {
      return try input.file.descriptor.pread(into: &span, at: offset) == wanted.count && bytes == wanted
    } catch {
      throw StoreError(error, "cannot read at byte \(offset)", path: input.path)
    }
  }
}
