internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The file that has the final name already: never trusted, and never overwritten with less.
struct ExistingFile {
  /// nil when there is none.
  let file: OpenFile?
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
      file = try output.openExisting()
    } catch {
      throw TransferError(error)
    }
    guard let file, let existing = output.existing else { return }
    let geometry = manifest.geometry
    var rightChunks = 0
    for group in 0..<geometry.groupCount {
      let page = try pages.page(group: group)
      // Past its end there is nothing to hash.
      let chunks = geometry.chunks(inGroup: group).filter { geometry.range(of: $0).offset < existing.size }
      guard !chunks.isEmpty else { break }
      let right = try ParallelScan(geometry: geometry, file: file).matching(
        chunks.map { ExpectedChunk(index: $0, id: page[$0]) }, isStopped: isStopped, progress: progress)
      if isStopped() { throw TransferError(.cancelled, "cancelled.", isRetryable: true) }
      rightChunks += right.count
      for chunk in right.sorted() { append(geometry.range(of: chunk)) }
    }
    isRight = rightChunks == geometry.chunkCount && existing.size == geometry.fileLength
  }

  private mutating func append(_ range: ByteRange) {
    if let last = goodRanges.last, last.end == range.offset {
      goodRanges[goodRanges.count - 1] = ByteRange(offset: last.offset, count: last.count + range.count)
    } else {
      goodRanges.append(range)
    }
  }
}
