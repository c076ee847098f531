internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The file that has the final name already: never trusted, and never overwritten with less.
struct ExistingFile {
  /// nil when there is none.
  let file: OpenFile?
  /// What it was when it was opened.
  private let status: FileStatus?
  /// Nothing has to be fetched, and nothing cut off.
  private(set) var isRight = false
  /// The groups it has all of: their pages are not needed.
  private(set) var wholeGroups: Set<Int> = []
  /// Its chunks that are right and more than zeros, of whole groups and of others.
  private var rangesOfWholeGroups: [ByteRange] = []
  private var otherRanges: [ByteRange] = []
  /// What it has at the multiples of the chunk size, for chunks that are wanted elsewhere.
  private var prefixes: [UInt64] = []

  /// Hashes it against the manifest, group by group, on all cores; of a group it has all of, the page is not asked for.
  /// `progress` is called with bytes that were hashed.
  init(
    at output: OutputPath, manifest: Manifest, pages: ManifestPages, isStopped: @escaping @Sendable () -> Bool,
    progress: @escaping @Sendable (UInt64) -> Void
  ) throws(TransferError) {
    do throws(StoreError) {
      (file, status) = try output.openExisting()
    } catch {
      throw TransferError(error)
    }
    guard let file, let status else { return }
    let geometry = manifest.geometry
    let scan = ParallelScan(geometry: geometry, file: file)
    var rightChunks = 0
    // Many groups are hashed before the pages of those that differ are asked for: then it is known where a run of pages
    // that are needed ends.
    for start in stride(from: 0, to: geometry.groupCount, by: Self.groupsAtOnce) {
      let end = min(start + Self.groupsAtOnce, geometry.groupCount)
      var different: [(group: Int, contents: [ChunkIndex: ChunkContent])] = []
      for group in start..<end {
        // Past its end there is nothing to hash.
        let chunks = geometry.chunks(inGroup: group).filter { geometry.range(of: $0).offset < status.size }
        guard !chunks.isEmpty else { break }
        let contents = try scan.contents(of: chunks, isStopped: isStopped, progress: progress)
        if isStopped() { throw TransferError(.cancelled, "cancelled.", isRetryable: true) }
        note(contents, geometry.chunks(inGroup: group), geometry)
        if let page = manifest.leafPage(group: group, contents: contents) {
          wholeGroups.insert(group)
          rightChunks += take(contents, of: page, geometry, into: &rangesOfWholeGroups)
        } else {
          different.append((group, contents))
        }
      }
      pages.markKnown(wholeGroups)
      for (group, contents) in different {
        rightChunks += take(contents, of: try pages.page(group: group, before: end), geometry, into: &otherRanges)
      }
    }
    isRight = rightChunks == geometry.chunkCount && status.size == geometry.fileLength
  }

  private static let groupsAtOnce = 64

  private mutating func note(
    _ contents: [ChunkIndex: ChunkContent], _ chunks: Range<ChunkIndex>, _ geometry: ChunkGeometry
  ) {
    let size = geometry.chunkSize.bytes
    let zeros = ZeroChunk.id(length: size)
    for chunk in chunks.prefix(SeedIndex.maximumCount - prefixes.count) {
      prefixes.append(SeedIndex.prefix(of: contents[chunk]?.id(length: size), zeros: zeros))
    }
  }

  /// - Returns: How many of the page's chunks it has.
  private func take(
    _ contents: [ChunkIndex: ChunkContent], of page: LeafPage, _ geometry: ChunkGeometry, into ranges: inout [ByteRange]
  ) -> Int {
    var count = 0
    for chunk in page.chunks {
      let length = geometry.length(of: chunk)
      guard contents[chunk]?.id(length: length) == page[chunk] else { continue }
      count += 1
      // Zeros stay a hole in the partial.
      if page[chunk] != ZeroChunk.id(length: length) { ranges.append(joining: geometry.range(of: chunk)) }
    }
    return count
  }

  /// Its chunks that are right and more than zeros, as ranges of bytes.
  var goodRanges: [ByteRange] { rangesOfWholeGroups + otherRanges }

  /// All of the file that is more than zeros, where that is known without a page; for the other groups it is asked of
  /// `pages`.
  func rangesWithData(
    _ geometry: ChunkGeometry, pages: ManifestPages, isStopped: () -> Bool
  ) throws(TransferError) -> [ByteRange] {
    var ranges: [ByteRange] = []
    for group in 0..<geometry.groupCount where !isStopped() && !wholeGroups.contains(group) {
      let page = try pages.page(group: group)
      for chunk in page.chunks where page[chunk] != ZeroChunk.id(length: geometry.length(of: chunk)) {
        ranges.append(joining: geometry.range(of: chunk))
      }
    }
    return rangesOfWholeGroups + ranges
  }

  /// The file as a seed: what it has may be wanted at another place.
  func seed(path: String, _ geometry: ChunkGeometry) -> Seed? {
    guard let file, let status else { return nil }
    let input = InputFile(path: path, file: file, status: status)
    // Of a longer one the rest has not been looked at.
    guard status.size <= geometry.fileLength else { return Seed(input, geometry: geometry, offer: { _, _ in }) }
    return Seed(input, geometry: geometry, index: SeedIndex(prefixes: prefixes))
  }

  /// Whether something else is at the output by now, or nothing any more.
  func isOutdated(at output: OutputPath) throws(TransferError) -> Bool {
    do throws(StoreError) { return try output.existingNow() != status } catch { throw TransferError(error) }
  }
}

extension Manifest {
  /// The page of a group, made of what a file has there; nil when that is not the group.
  func leafPage(group: Int, contents: [ChunkIndex: ChunkContent]) -> LeafPage? {
    let chunks = geometry.chunks(inGroup: group)
    let ids = chunks.compactMap { contents[$0]?.id(length: geometry.length(of: $0)) }
    guard ids.count == chunks.count else { return nil }
    return leafPage(group: group, ids: ids)
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
