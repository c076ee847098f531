/// How a file of some length is cut into chunks, and how the chunks form groups.
///
/// Chunk `i` is the bytes from `i · C` up to the smaller of `(i + 1) · C` and the file length. Everything here is
/// arithmetic on two numbers: constant time, no memory.
public struct ChunkGeometry: Hashable, Sendable {
  /// The length of the file in bytes.
  public let fileLength: UInt64
  /// The length of every chunk but the last.
  public let chunkSize: ChunkSize
  /// How many chunks there are: none for the empty file, at most ``maximumChunkCount``.
  public let chunkCount: Int

  /// The limit on ``chunkCount``, 2^24.
  public static let maximumChunkCount = 1 << 24
  /// How many chunks a group has, except the last one of a file. A power of two, which makes a group a subtree of the
  /// Merkle tree.
  public static let chunksPerGroup = 1024

  /// The geometry of a file of `fileLength` bytes cut into chunks of `chunkSize`.
  ///
  /// - Throws: ``ManifestError`` with code ``ManifestError/Code/tooLarge`` when that makes more than
  ///   ``maximumChunkCount`` chunks.
  public init(fileLength: UInt64, chunkSize: ChunkSize) throws(ManifestError) {
    let size = UInt64(chunkSize.bytes)
    let count = fileLength / size + (fileLength % size == 0 ? 0 : 1)
    guard count <= UInt64(Self.maximumChunkCount) else {
      throw ManifestError(
        .tooLarge,
        "a file of \(fileLength) bytes has \(count) chunks of \(chunkSize); \(Self.maximumChunkCount) are allowed")
    }
    self.fileLength = fileLength
    self.chunkSize = chunkSize
    chunkCount = Int(count)
  }
}

// MARK: Chunks

extension ChunkGeometry {
  /// The indices of all chunks.
  public var chunks: Range<ChunkIndex> { ChunkIndex(0)..<ChunkIndex(chunkCount) }

  /// Where the chunk lies in the file.
  ///
  /// - Precondition: The file has such a chunk.
  public func range(of chunk: ChunkIndex) -> ByteRange {
    ByteRange(offset: offset(of: chunk), count: UInt64(length(of: chunk)))
  }

  /// Where the chunks lie in the file, from the first byte of the first to the last byte of the last.
  ///
  /// - Precondition: The file has such chunks.
  public func range(of chunks: Range<ChunkIndex>) -> ByteRange {
    precondition(chunks.upperBound.rawValue <= chunkCount, "no such chunks")
    let start = min(UInt64(chunks.lowerBound.rawValue) * UInt64(chunkSize.bytes), fileLength)
    let end = min(UInt64(chunks.upperBound.rawValue) * UInt64(chunkSize.bytes), fileLength)
    return ByteRange(offset: start, count: end - start)
  }

  /// The length of the chunk in bytes: the chunk size, or less for the last chunk; never zero.
  ///
  /// - Precondition: The file has such a chunk.
  public func length(of chunk: ChunkIndex) -> Int {
    Int(min(UInt64(chunkSize.bytes), fileLength - offset(of: chunk)))
  }

  /// The chunk that holds the byte at `offset`.
  ///
  /// - Precondition: `offset` is less than the file length.
  public func chunk(at offset: UInt64) -> ChunkIndex {
    precondition(offset < fileLength, "the offset lies outside the file")
    return ChunkIndex(Int(offset / UInt64(chunkSize.bytes)))
  }

  private func offset(of chunk: ChunkIndex) -> UInt64 {
    precondition(chunk.rawValue < chunkCount, "no such chunk")
    return UInt64(chunk.rawValue) * UInt64(chunkSize.bytes)
  }
}

// MARK: Groups

extension ChunkGeometry {
  /// How many groups the chunks form; none for the empty file.
  public var groupCount: Int {
    (chunkCount + Self.chunksPerGroup - 1) / Self.chunksPerGroup
  }

  /// The group the chunk belongs to.
  ///
  /// - Precondition: The file has such a chunk.
  public func group(of chunk: ChunkIndex) -> Int {
    precondition(chunk.rawValue < chunkCount, "no such chunk")
    return chunk.rawValue / Self.chunksPerGroup
  }

  /// The chunks of a group: ``chunksPerGroup`` of them, or fewer in the last group; never none.
  ///
  /// - Precondition: The file has such a group.
  public func chunks(inGroup group: Int) -> Range<ChunkIndex> {
    precondition((0..<groupCount).contains(group), "no such group")
    let first = group * Self.chunksPerGroup
    return ChunkIndex(first)..<ChunkIndex(min(first + Self.chunksPerGroup, chunkCount))
  }
}
