internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The file that has the final name already: never trusted, and never overwritten with less.
struct ExistingFile {
  /// nil when there is none.
  let file: OpenFile?
  /// What it was when it was opened.
  private let status: FileStatus?
  /// Its chunks that are right, as ranges of bytes.
  private(set) var goodRanges: [ByteRange] = []
  /// Nothing has to be fetched, and nothing cut off.
  private(set) var isRight = false

  /// Hashes it against the manifest, group by group, on all cores. `progress` is called with bytes that were hashed.
  init(
    at output: OutputPath, manifest: Manifest, pages: any LeafPageSource, isStopped: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (UInt64) -> Void
  ) throws(TransferError) {
    do throws(StoreError) {
      (file, status) = try output.openExisting()
    } catch {
      throw TransferError(error)
    }
    guard let file, let status else { return }
    let geometry = manifest.geometry
    var rightChunks = 0
    for group in 0..<geometry.groupCount {
      let page = try pages.page(group: group)
      // Past its end there is nothing to hash.
      let chunks = geometry.chunks(inGroup: group).filter { geometry.range(of: $0).offset < status.size }
      guard !chunks.isEmpty else { break }
      let right = try ParallelScan(geometry: geometry, file: file).matching(
        chunks.map { ExpectedChunk(index: $0, id: page[$0]) }, isStopped: isStopped, progress: progress)
      if isStopped() { throw TransferError(.cancelled, "cancelled.", isRetryable: true) }
      rightChunks += right.count
      for chunk in right.sorted() { goodRanges.append(joining: geometry.range(of: chunk)) }
    }
    isRight = rightChunks == geometry.chunkCount && status.size == geometry.fileLength
  }

  /// Whether something else is at the output by now, or nothing any more.
  func isOutdated(at output: OutputPath) throws(TransferError) -> Bool {
    do throws(StoreError) { return try output.existingNow() != status } catch { throw TransferError(error) }
  }
}

extension [ByteRange] {
  /// Adds a range behind the others; one that begins where the last one ends makes that one longer.
  mutating func append(joining range: ByteRange) {
    if let last, last.end == range.offset {
      self[count - 1] = ByteRange(offset: last.offset, count: last.count + range.count)
    } else {
      append(range)
    }
  }
}
