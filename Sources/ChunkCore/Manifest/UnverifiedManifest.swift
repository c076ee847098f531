/// The beginning of a manifest that has been read and is well-formed, but that nothing vouches for yet.
///
/// It holds what the header, the section table, the group roots and the metadata say. ``verified(expecting:)`` checks
/// the group roots against the root and the root against what is pinned, and only that makes a ``Manifest``.
///
/// Reading goes: fetch ``firstReadLength`` bytes, ask ``neededPrefixLength(_:)``, fetch what is missing, and make one of
/// these. For nearly all files the first read is enough. Pure functions of their input, and no length is believed
/// before it is checked: what a manifest of a hostile length can cause to be allocated is bounded by
/// ``ManifestLimits`` and the bytes that are there.
package struct UnverifiedManifest: Sendable {
  /// How much to read first, in bytes; a manifest may be shorter.
  package static let firstReadLength = 64 << 10
  /// At least as much as ``init(prefix:)`` ever needs: group roots and metadata at their longest, and what is in front of them.
  package static let longestPrefix = 2 << 20

  package let geometry: ChunkGeometry
  /// What the header says is the root.
  package let root: SHA256Digest
  package let sections: SectionTable
  package let metadata: ManifestMetadata?
  private let groupRoots: [SHA256Digest]

  /// The file ID that follows from the header.
  package var fileID: FileID {
    FileID(fileLength: geometry.fileLength, chunkSize: geometry.chunkSize, root: root)
  }

  /// The length of the whole manifest in bytes.
  package var totalLength: UInt64 { sections.totalLength }

  /// Whether `bytes` begin with the signature of a manifest, of whatever version. When they do not, the file is
  /// something else; when they do, anything wrong with it is an error.
  package static func hasMagic(_ bytes: Span<UInt8>) -> Bool {
    ManifestHeader.hasMagic(bytes)
  }

  /// How long the file and its chunks are, as the header says that `bytes` begin with; nil when it is none.
  package static func announcedGeometry(_ bytes: Span<UInt8>) -> ChunkGeometry? {
    do throws(ManifestError) { return try ManifestHeader(bytes).geometry } catch { return nil }
  }

  /// How much of the manifest ``init(prefix:)`` needs.
  ///
  /// - Parameter beginning: The first bytes of the manifest: header and section table at least, 448 bytes at most.
  /// - Returns: How many bytes there are up to the end of the group roots and, when there is metadata, up to the end of
  ///   that. At most 1.6 MiB.
  /// - Throws: ``ManifestError`` when the header or the section table is not right.
  package static func neededPrefixLength(_ beginning: Span<UInt8>) throws(ManifestError) -> Int {
    let header = try ManifestHeader(beginning)
    return prefixLength(try SectionTable(beginning, header: header))
  }

  private static func prefixLength(_ sections: SectionTable) -> Int {
    // Fits: both sections have been checked against their limits and stand at the beginning.
    Int((sections[.metadata] ?? sections.groupRoots).range.end)
  }

  /// Reads the manifest that `prefix` is the beginning of, or all of.
  ///
  /// - Throws: ``ManifestError`` when `prefix` is shorter than ``neededPrefixLength(_:)`` or longer than the manifest
  ///   it describes, and when anything in it is not as the format has it.
  package init(prefix: Span<UInt8>) throws(ManifestError) {
    let header = try ManifestHeader(prefix)
    let sections = try SectionTable(prefix, header: header)
    guard prefix.count >= Self.prefixLength(sections) else {
      throw ManifestError(
        .truncated, "the manifest ends after \(prefix.count) bytes, before the end of its group roots and metadata")
    }
    guard UInt64(prefix.count) <= sections.totalLength else {
      throw ManifestError(.trailingBytes, "bytes follow the manifest, which ends after \(sections.totalLength)")
    }
    try sections.groupRoots.verifyCheck(in: prefix)
    groupRoots = Self.digests(in: prefix.extracting(sections.groupRoots.bounds))
    if let section = sections[.metadata] {
      try section.verifyCheck(in: prefix)
      metadata = try ManifestMetadata(canonicalJSON: prefix.extracting(section.bounds))
    } else {
      metadata = nil
    }
    geometry = header.geometry
    root = header.root
    self.sections = sections
  }

  /// Checks the group roots against the root, and the file ID against the one that is pinned.
  ///
  /// The metadata is not under the root: even in the result it is no more than a claim.
  ///
  /// - Parameter pinned: What the file ID has to be; `nil` when nothing is pinned, and then the manifest is as good as
  ///   where it came from.
  /// - Returns: The manifest, which needs no further checking.
  /// - Throws: ``ManifestError`` with the code ``ManifestError/Code/rootMismatch`` or ``ManifestError/Code/pinMismatch``.
  package func verified(expecting pinned: FileID?) throws(ManifestError) -> Manifest {
    guard MerkleGroups.root(ofGroupRoots: groupRoots) == root else {
      throw ManifestError(.rootMismatch, "the manifest's group roots do not make up its root")
    }
    if let pinned, pinned != fileID {
      throw ManifestError(.pinMismatch, "the manifest is that of file \(fileID), not of \(pinned)")
    }
    return Manifest(
      geometry: geometry, root: root, groupRoots: groupRoots, metadata: metadata, sections: sections)
  }

  private static func digests(in bytes: Span<UInt8>) -> [SHA256Digest] {
    let size = SHA256Digest.byteCount
    return (0..<bytes.count / size).map { SHA256Digest(bytes.extracting($0 * size..<($0 + 1) * size)) }
  }
}
