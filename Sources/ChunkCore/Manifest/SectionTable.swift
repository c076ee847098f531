/// The sections of a manifest: where each lies, in the order of the file.
///
/// A table that exists is sound: the sections follow the header and each other without gaps or overlap, stand in the
/// order of the format, each at most once, with the lengths that the geometry asks for, and none is missing.
package struct SectionTable: Hashable, Sendable {
  package let sections: [ManifestSection]

  /// The section of that type, `nil` when the manifest has none.
  package subscript(type: SectionType) -> ManifestSection? {
    sections.first { $0.type == type }
  }

  /// The length of the whole manifest in bytes.
  package let totalLength: UInt64

  /// Where the group roots lie.
  let groupRoots: ManifestSection
  /// Where the chunk IDs lie.
  let leaves: ManifestSection

  /// The length of header and table together.
  static func end(sectionCount: Int) -> Int {
    ManifestHeader.length + sectionCount * ManifestSection.entryLength
  }

  /// Reads the table behind the header that `bytes` begin with; what follows it is not looked at.
  init(_ bytes: Span<UInt8>, header: ManifestHeader) throws(ManifestError) {
    let end = Self.end(sectionCount: header.sectionCount)
    guard bytes.count >= end else {
      throw ManifestError(.truncated, "the manifest ends within its section table, after \(bytes.count) bytes")
    }
    var validator = Validator(geometry: header.geometry, offset: UInt64(end))
    for number in 0..<header.sectionCount {
      let start = Self.end(sectionCount: number)
      try validator.append(entry: bytes.extracting(start..<start + ManifestSection.entryLength))
    }
    sections = validator.sections
    totalLength = validator.offset
    groupRoots = try validator.required(.groupRoots)
    leaves = try validator.required(.leaves)
  }

  /// Checks one entry after the other against those before it.
  private struct Validator {
    let geometry: ChunkGeometry
    /// Where the next section has to begin. Every length is checked before it is added, so that this stays far below
    /// 2^64.
    var offset: UInt64
    var sections: [ManifestSection] = []
    private var unknownLength: UInt64 = 0

    init(geometry: ChunkGeometry, offset: UInt64) {
      self.geometry = geometry
      self.offset = offset
    }

    mutating func append(entry: Span<UInt8>) throws(ManifestError) {
      let type = SectionType(code: entry.littleEndian(at: 0, as: UInt32.self))
      try checkPlace(of: type)
      let start = entry.littleEndian(at: 8, as: UInt64.self)
      guard start == offset else {
        throw ManifestError(
          .invalidSectionTable, "section \(type) is said to begin at byte \(start), but has to begin at \(offset)")
      }
      let length = entry.littleEndian(at: 16, as: UInt64.self)
      try checkLength(length, of: type)
      let range = ByteRange(offset: start, count: length)
      sections.append(
        ManifestSection(type: type, range: range, check: entry.littleEndian(at: 4, as: UInt32.self)))
      offset = range.end
    }

    func required(_ type: SectionType) throws(ManifestError) -> ManifestSection {
      guard let section = sections.first(where: { $0.type == type }) else {
        throw ManifestError(.invalidSectionTable, "the manifest has no section \(type)")
      }
      return section
    }

    private func checkPlace(of type: SectionType) throws(ManifestError) {
      guard type.isWellFormed else {
        throw ManifestError(.invalidSectionTable, "the type of section \(sections.count) is not four letters")
      }
      guard type.isKnown || type.isOptional else {
        throw ManifestError(
          .unknownSection, "the manifest has a section \(type) that a newer version of this program is needed for")
      }
      guard !sections.contains(where: { $0.type == type }) else {
        throw ManifestError(.invalidSectionTable, "the manifest has more than one section \(type)")
      }
      if let last = sections.last, last.type.rank > type.rank {
        throw ManifestError(.invalidSectionTable, "section \(type) stands behind section \(last.type)")
      }
    }

    private mutating func checkLength(_ length: UInt64, of type: SectionType) throws(ManifestError) {
      if let fixed = type.fixedLength(in: geometry) {
        guard length == fixed else {
          throw ManifestError(
            .invalidSectionTable, "section \(type) is said to have \(length) bytes, but has to have \(fixed)")
        }
      } else if type == .metadata {
        try ManifestLimits.checkMetadataLength(length)
      } else {
        let allowed = UInt64(ManifestLimits.unknownLength) - unknownLength
        guard length <= allowed else {
          throw ManifestError(
            .tooLarge, "sections of unknown type have more than \(ManifestLimits.unknownLength) bytes")
        }
        unknownLength += length
      }
    }
  }
}
