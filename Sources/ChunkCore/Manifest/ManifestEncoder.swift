/// The bytes of the manifest of a file. The same input gives the same bytes.
///
/// A manifest can have 512 MiB, so it is written piece by piece; beside the chunk IDs it was given, an encoder holds the
/// group roots and one page. Making one hashes every ID three times: for its leaf, for the tree above it and for the
/// section's check. Writing only copies.
package struct ManifestEncoder: Sendable {
  /// The Merkle root over the chunk IDs.
  package let root: SHA256Digest
  /// The file ID of the file described.
  package let fileID: FileID
  /// How many bytes the manifest has.
  package let totalLength: UInt64

  /// Header and section table.
  private let beginning: [UInt8]
  private let contents: [SectionContent]

  /// The manifest of a file whose chunks have these IDs; with columns of their weak hashes and of where their frames end in the
  /// pack, if there are to be such.
  ///
  /// - Precondition: There is one ID for each chunk of `geometry`, and one number in each column; frames end one after the other.
  /// - Throws: ``ManifestError`` with the code ``ManifestError/Code/tooLarge`` when the metadata takes more than
  ///   1 MiB.
  package init(
    geometry: ChunkGeometry, chunkIDs: [ChunkID], metadata: ManifestMetadata? = nil, weakHashes: [UInt64]? = nil,
    frameEnds: [UInt64]? = nil
  ) throws(ManifestError) {
    precondition(chunkIDs.count == geometry.chunkCount, "a manifest has one ID for each chunk")
    for column in [weakHashes, frameEnds] {
      precondition(column?.count ?? chunkIDs.count == chunkIDs.count, "a column has one number for each chunk")
    }
    let groupRoots = MerkleGroups.groupRoots(ids: chunkIDs.span)
    root = MerkleGroups.root(ofGroupRoots: groupRoots)
    fileID = FileID(fileLength: geometry.fileLength, chunkSize: geometry.chunkSize, root: root)

    var sections: [(type: SectionType, content: SectionContent)] = [(.groupRoots, .digests(groupRoots))]
    if let metadata, !metadata.isEmpty {
      let json = metadata.canonicalJSON()
      try ManifestLimits.checkMetadataLength(UInt64(json.count))
      sections.append((.metadata, .bytes(json)))
    }
    sections.append((.leaves, .chunkIDs(chunkIDs)))
    if let weakHashes { sections.append((.weak, .numbers(weakHashes))) }
    if let frameEnds { sections.append((.pack, .numbers(frameEnds))) }

    var beginning: [UInt8] = []
    ManifestHeader(sectionCount: sections.count, geometry: geometry, root: root).append(to: &beginning)
    var offset = UInt64(SectionTable.end(sectionCount: sections.count))
    for (type, content) in sections {
      let (length, digest) = content.measure()
      let section = ManifestSection(
        type: type, range: ByteRange(offset: offset, count: length), check: ManifestSection.check(of: digest))
      section.append(to: &beginning)
      offset = section.range.end
    }
    self.beginning = beginning
    contents = sections.map(\.content)
    totalLength = offset
  }

  /// Hands the manifest to `sink` from the first byte to the last, in pieces of at most 32 KiB, metadata apart. Each
  /// call makes the same bytes again.
  ///
  /// - Throws: What `sink` throws, after which nothing more is handed out; nothing else.
  package func write<Failure: Error>(to sink: (Span<UInt8>) throws(Failure) -> Void) throws(Failure) {
    try sink(beginning.span)
    for content in contents {
      try content.forEachPiece(sink)
    }
  }

  /// The manifest as one array, for those that are known to be small.
  package func encode() -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(Int(totalLength))
    write { piece in
      // The buffer is copied before the call returns.
      unsafe piece.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }
    return output
  }
}
