extension Manifest {
  /// Reads and verifies a manifest of which all bytes are at hand: everything that reading by pages checks, and also
  /// the check of every section, the exact length, and the pack column.
  ///
  /// - Parameters:
  ///   - whole: All bytes of the manifest file.
  ///   - pinned: What the file ID has to be; `nil` when nothing is pinned.
  /// - Returns: The manifest and all pages of chunk IDs in order. They take as much memory as `whole`.
  /// - Throws: ``ManifestError`` when anything is not as the format has it or does not verify.
  package static func decode(
    whole: Span<UInt8>, expecting pinned: FileID?
  ) throws(ManifestError) -> (Manifest, [LeafPage]) {
    let sections = try SectionTable(whole, header: try ManifestHeader(whole))
    guard UInt64(whole.count) >= sections.totalLength else {
      throw ManifestError(
        .truncated, "the manifest ends after \(whole.count) of its \(sections.totalLength) bytes")
    }
    let manifest = try UnverifiedManifest(prefix: whole).verified(expecting: pinned)
    for section in sections.sections where section.type.rank >= SectionType.leaves.rank {
      try section.verifyCheck(in: whole)
    }
    if let pack = sections[.pack] {
      try verifyFrameEnds(whole.extracting(pack.bounds))
    }
    var pages: [LeafPage] = []
    pages.reserveCapacity(manifest.groupRoots.count)
    for group in manifest.groupRoots.indices {
      let range = manifest.leafPageRange(group: group)
      pages.append(
        try manifest.leafPage(group: group, bytes: whole.extracting(Int(range.offset)..<Int(range.end))))
    }
    return (manifest, pages)
  }

  /// The ends of a pack's frames are strictly increasing: a frame has at least one byte.
  private static func verifyFrameEnds(_ column: Span<UInt8>) throws(ManifestError) {
    var previous: UInt64 = 0
    for offset in stride(from: 0, to: column.count, by: 8) {
      let end = column.littleEndian(at: offset, as: UInt64.self)
      guard end > previous else {
        throw ManifestError(
          .invalidPack, "the frame of chunk \(offset / 8) in the pack does not end behind the one before")
      }
      previous = end
    }
  }
}
