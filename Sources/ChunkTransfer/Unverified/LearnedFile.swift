internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore

/// The chunk IDs that were seen of a file without a manifest, beside its partial (`Spec/learned-v1.md`). Any thread may use it.
struct LearnedFile: Sendable {
  private let file: SideFile
  /// Whether an earlier run began it, of the same version: its bytes need not be fetched again.
  let isResumed: Bool

  /// Goes on with the file beside the partial, if it is of this version; else clears both and begins anew.
  ///
  /// - Returns: `nil` when nothing can be learned: of a version that nothing identifies, or where the file cannot be made. The
  ///   partial is empty then.
  /// - Throws: when the partial cannot be cleared.
  init?(beside partial: PartialFile, of url: HTTPURL, geometry: ChunkGeometry, version: Validator?) throws(StoreError) {
    let header = version.flatMap { version in
      LearnedHeader(
        url: url.text, geometry: geometry, validator: version.fieldValue, isEntityTag: version.isEntityTag)
    }
    guard let header else {
      try partial.setLength(0)
      return nil
    }
    if let file = Self.attempt({ () throws(StoreError) in try partial.openSideFile(.learned) }),
      file.read(ByteRange(offset: 0, count: UInt64(LearnedHeader.byteCount))) == header.bytes
    {
      (self.file, isResumed) = (file, true)
      return
    }
    try partial.setLength(0)
    let file = Self.attempt { () throws(StoreError) in
      let file = try partial.renewSideFile(.learned)
      try file.write(header.bytes.span, at: 0)
      return file
    }
    guard let file else { return nil }
    (self.file, isResumed) = (file, false)
  }

  /// The download goes on without it.
  private static func attempt(_ action: () throws(StoreError) -> SideFile) -> SideFile? {
    do throws(StoreError) { return try action() } catch { return nil }
  }

  /// What was learned of these chunks, read at once. Nothing of those whose IDs are zeros, or cut off.
  func learned(of chunks: Range<ChunkIndex>) -> [ExpectedChunk] {
    let start = LearnedHeader.place(of: chunks.lowerBound).offset
    let end = min(file.length, LearnedHeader.place(of: chunks.upperBound).offset)
    guard start < end, let bytes = file.read(ByteRange(offset: start, count: end - start)) else { return [] }
    return zip(chunks, 0..<bytes.count / SHA256Digest.byteCount).compactMap { chunk, place in
      let id = SHA256Digest(
        bytes.span.extracting(place * SHA256Digest.byteCount..<(place + 1) * SHA256Digest.byteCount))
      return id == Self.nothing ? nil : ExpectedChunk(index: chunk, id: ChunkID(id))
    }
  }

  private static let nothing = SHA256Digest([UInt8](repeating: 0, count: SHA256Digest.byteCount).span)

  /// Notes the ID of a chunk whose bytes are in the partial. One that cannot be written is fetched again by the next run.
  func write(_ id: SHA256Digest, of chunk: ChunkIndex) {
    do throws(StoreError) {
      try file.write(id.bytes.span, at: LearnedHeader.place(of: chunk).offset)
    } catch { return }
  }
}
