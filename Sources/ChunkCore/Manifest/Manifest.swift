/// What is known of a file whose manifest has been verified: its length, how it is cut, and the roots of its groups.
///
/// A value that exists has group roots that make up its ``root``, and its ``fileID`` is the pinned one where one was
/// pinned. The chunk IDs are not in it: they are read by pages of 1024, each verified alone, so that memory does not
/// grow with the file beyond 32 bytes a group, 512 KiB at most.
public struct Manifest: Sendable {
  /// The length of the file and how it is cut.
  public let geometry: ChunkGeometry
  /// The Merkle root over all chunk IDs.
  public let root: SHA256Digest
  /// What the publisher says about the file. Not under the root: a claim, whatever the manifest was checked against.
  public let metadata: ManifestMetadata?
  /// The root of each group, in order.
  package let groupRoots: [SHA256Digest]
  /// Where everything lies in the manifest file.
  package let sections: SectionTable

  init(
    geometry: ChunkGeometry, root: SHA256Digest, groupRoots: [SHA256Digest], metadata: ManifestMetadata?,
    sections: SectionTable
  ) {
    self.geometry = geometry
    self.root = root
    self.groupRoots = groupRoots
    self.metadata = metadata
    self.sections = sections
  }

  /// What a person pins: it names length, chunk size and content. One hash of 56 bytes.
  public var fileID: FileID {
    FileID(fileLength: geometry.fileLength, chunkSize: geometry.chunkSize, root: root)
  }

  /// The length of the manifest file in bytes.
  public var totalLength: UInt64 { sections.totalLength }
}
