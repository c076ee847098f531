/// The chunk IDs of one group, verified against the group's root.
package struct LeafPage: Sendable {
  /// The number of the group.
  package let group: Int
  /// The index of the first chunk.
  package let first: ChunkIndex
  /// One ID for each chunk of the group: 1024, or fewer in the last one.
  package let ids: [ChunkID]

  /// The chunks whose IDs the page holds.
  package var chunks: Range<ChunkIndex> { first..<first.advanced(by: ids.count) }

  /// The page as it lies in the manifest.
  package var bytes: [UInt8] { ids.flatMap(\.digest.bytes) }

  /// The ID of a chunk.
  ///
  /// - Precondition: The chunk is in ``chunks``.
  package subscript(_ chunk: ChunkIndex) -> ChunkID {
    ids[chunk.rawValue - first.rawValue]
  }
}

extension Manifest {
  /// Where the IDs of a group lie in the manifest file: at most 32 KiB.
  ///
  /// - Precondition: The file has such a group.
  package func leafPageRange(group: Int) -> ByteRange {
    let chunks = geometry.chunks(inGroup: group)
    let size = UInt64(SHA256Digest.byteCount)
    return ByteRange(
      offset: sections.leaves.range.offset + UInt64(chunks.lowerBound.rawValue) * size,
      count: UInt64(chunks.count) * size)
  }

  /// The page that `bytes` hold, once they agree with the group's root. About 2000 short hashes.
  ///
  /// - Parameters:
  ///   - group: The number of a group of the file.
  ///   - bytes: What lies in ``leafPageRange(group:)``, from wherever.
  /// - Returns: The IDs, which need no further checking.
  /// - Throws: ``ManifestError`` with the code ``ManifestError/Code/pageMismatch`` when they do not agree, or when there
  ///   are more or fewer bytes.
  package func leafPage(group: Int, bytes: Span<UInt8>) throws(ManifestError) -> LeafPage {
    let chunks = geometry.chunks(inGroup: group)
    let size = SHA256Digest.byteCount
    guard bytes.count == chunks.count * size else {
      throw ManifestError(
        .pageMismatch,
        "\(bytes.count) bytes came for the chunk IDs of group \(group), which take \(chunks.count * size)")
    }
    let ids = (0..<chunks.count).map { position in
      ChunkID(SHA256Digest(bytes.extracting(position * size..<(position + 1) * size)))
    }
    guard let page = leafPage(group: group, ids: ids) else {
      throw ManifestError(.pageMismatch, "the chunk IDs of group \(group) do not make up the group's root")
    }
    return page
  }

  /// The page of these IDs, if they agree with the group's root: what a file has at the place of the group tells its page,
  /// where it is the same. About 2000 short hashes.
  ///
  /// - Precondition: The file has such a group.
  package func leafPage(group: Int, ids: [ChunkID]) -> LeafPage? {
    let chunks = geometry.chunks(inGroup: group)
    guard ids.count == chunks.count, Merkle.root(of: ids.span) == groupRoots[group] else { return nil }
    return LeafPage(group: group, first: chunks.lowerBound, ids: ids)
  }

  /// The page of a group that is nothing but zeros; nil when the group is something else.
  ///
  /// - Precondition: The file has such a group.
  package func zeroLeafPage(group: Int) -> LeafPage? {
    let chunks = geometry.chunks(inGroup: group)
    let size = geometry.chunkSize.bytes
    let last = geometry.length(of: chunks.upperBound.advanced(by: -1))
    var hasher = MerkleHasher()
    guard hasher.zeroRoot(count: chunks.count, chunkSize: size, lastLength: last) == groupRoots[group] else {
      return nil
    }
    var ids = [ChunkID](repeating: ZeroChunk.id(length: size), count: chunks.count)
    ids[ids.count - 1] = ZeroChunk.id(length: last)
    return LeafPage(group: group, first: chunks.lowerBound, ids: ids)
  }
}

extension Manifest {
  /// The evidence that a chunk's ID stands at its place under ``root``. About 2000 short hashes, and one a group.
  ///
  /// - Precondition: The page is one of this manifest's and holds the chunk.
  package func proof(of chunk: ChunkIndex, in page: LeafPage) -> MerkleProof {
    precondition(page.chunks.contains(chunk), "the page does not hold the chunk")
    return MerkleProof.make(
      index: chunk, treeSize: geometry.chunkCount, page: page.ids.span, groupRoots: groupRoots)
  }
}
