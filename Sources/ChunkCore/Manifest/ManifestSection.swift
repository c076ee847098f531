/// The type of a section: four ASCII letters.
///
/// The letter case of the first says what a reader does that does not know the type: a lower-case one is skipped, any
/// other makes the manifest unreadable for it.
package struct SectionType: Hashable, Sendable {
  /// The four bytes in the order of the file, the first one least significant.
  let code: UInt32

  init(code: UInt32) {
    self.code = code
  }

  private init(_ name: StaticString) {
    let bytes = name.description.utf8
    code = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// 32 bytes a group: the roots of the groups. Always there.
  package static let groupRoots = SectionType("GRPS")
  /// Canonical JSON. Optional.
  package static let metadata = SectionType("meta")
  /// 32 bytes a chunk: the chunk IDs. Always there.
  package static let leaves = SectionType("LEAF")
  /// 8 bytes a chunk: a rolling hash. Optional.
  package static let weak = SectionType("weak")
  /// 8 bytes a chunk: where its frame ends in the pack. Optional.
  package static let pack = SectionType("pack")

  /// The types this version knows, in the order in which their sections stand.
  static let known = [groupRoots, metadata, leaves, weak, pack]

  /// The place in the order of sections, the same for all types that are not known.
  var rank: Int {
    Self.known.firstIndex(of: self) ?? Self.known.count
  }

  var isKnown: Bool { rank < Self.known.count }

  /// Whether a reader that does not know the type may go on without it.
  var isOptional: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(UInt8(truncatingIfNeeded: code))
  }

  /// Whether all four bytes are ASCII letters.
  var isWellFormed: Bool {
    (0..<4).allSatisfy { position in
      // Setting this bit turns an upper-case letter into the lower-case one and makes no letter of anything else.
      let byte = UInt8(truncatingIfNeeded: code >> (8 * position)) | 0x20
      return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }
  }

  /// The exact length a section of this type has in the manifest of a file, `nil` when the type does not fix it.
  func fixedLength(in geometry: ChunkGeometry) -> UInt64? {
    switch self {
    case .groupRoots: UInt64(geometry.groupCount * SHA256Digest.byteCount)
    case .leaves: UInt64(geometry.chunkCount * SHA256Digest.byteCount)
    case .weak, .pack: UInt64(geometry.chunkCount * 8)
    default: nil
    }
  }
}

extension SectionType: CustomStringConvertible {
  /// The four letters; anything that is no letter prints as `?`.
  package var description: String {
    let bytes = (0..<4).map { position in
      let byte = UInt8(truncatingIfNeeded: code >> (8 * position))
      let letter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      return letter ? byte : UInt8(ascii: "?")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// One entry of the section table.
package struct ManifestSection: Hashable, Sendable {
  /// The length of an entry in the table.
  static let entryLength = 24

  package let type: SectionType
  /// Where the section lies in the manifest file.
  package let range: ByteRange
  /// The first four bytes of the section's SHA-256, as they lie in the file.
  let check: UInt32

  /// The check of the section that `digest` is the SHA-256 of.
  static func check(of digest: SHA256Digest) -> UInt32 {
    digest.bytes.span.littleEndian(at: 0, as: UInt32.self)
  }

  /// Where the section lies in bytes that are all of the manifest, or its beginning up to the section's end at least.
  var bounds: Range<Int> { Int(range.offset)..<Int(range.end) }

  /// Checks the section's bytes in a manifest against accidents; what an adversary did to them is found by the root.
  ///
  /// - Precondition: `manifest` reaches to the end of the section.
  func verifyCheck(in manifest: Span<UInt8>) throws(ManifestError) {
    guard Self.check(of: SHA256Hasher.hash(manifest.extracting(bounds))) == check else {
      throw ManifestError(
        .checksumMismatch, "section \(type) of the manifest is damaged: it does not agree with its check")
    }
  }

  /// Appends the 24 bytes of the entry.
  func append(to output: inout [UInt8]) {
    output.appendLittleEndian(type.code)
    output.appendLittleEndian(check)
    output.appendLittleEndian(range.offset)
    output.appendLittleEndian(range.count)
  }
}
