/// The first 64 bytes of a manifest: what is needed to know how long everything after them is.
struct ManifestHeader: Equatable, Sendable {
  /// The length of the header, where the section table begins.
  static let length = 64

  /// Like PNG's: a byte above ASCII, the name, and line ends that a transfer in text mode would break.
  /// In the order of the file: `89 43 48 4B 0D 0A 1A 0A`.
  private static let magic: UInt64 = 0x0A1A_0A0D_4B48_4389
  private static let version: UInt16 = 1

  let sectionCount: Int
  let geometry: ChunkGeometry
  let root: SHA256Digest

  init(sectionCount: Int, geometry: ChunkGeometry, root: SHA256Digest) {
    self.sectionCount = sectionCount
    self.geometry = geometry
    self.root = root
  }

  /// Reads the header that `bytes` begin with; what follows it is not looked at.
  ///
  /// Fields are checked in the order in which they lie, so that a given file always yields the same error.
  init(_ bytes: Span<UInt8>) throws(ManifestError) {
    guard Self.hasMagic(bytes) else {
      throw ManifestError(.notAManifest, "not a chunk manifest: it does not begin with the signature of one")
    }
    guard bytes.count >= Self.length else {
      throw ManifestError(.truncated, "the manifest ends within its header, after \(bytes.count) bytes")
    }
    let version = bytes.littleEndian(at: 8, as: UInt16.self)
    guard version == Self.version else {
      throw ManifestError(.unsupportedVersion, "the manifest has format version \(version); this reads version 1")
    }
    sectionCount = Int(bytes.littleEndian(at: 10, as: UInt16.self))
    guard sectionCount <= ManifestLimits.sections else {
      throw ManifestError(
        .invalidHeader, "the manifest has \(sectionCount) sections; \(ManifestLimits.sections) are allowed")
    }
    let size = bytes.littleEndian(at: 12, as: UInt32.self)
    guard let chunkSize = ChunkSize(bytes: Int(size)) else {
      throw ManifestError(.invalidHeader, "\(size) is not a chunk size: a power of two from 4 KiB to 4 MiB is")
    }
    geometry = try ChunkGeometry(fileLength: bytes.littleEndian(at: 16, as: UInt64.self), chunkSize: chunkSize)
    let groupSize = bytes.littleEndian(at: 24, as: UInt32.self)
    guard groupSize == UInt32(ChunkGeometry.chunksPerGroup) else {
      throw ManifestError(.invalidHeader, "a group has \(ChunkGeometry.chunksPerGroup) chunks, not \(groupSize)")
    }
    guard bytes.littleEndian(at: 28, as: UInt32.self) == 0 else {
      throw ManifestError(.invalidHeader, "the reserved bytes of the manifest's header are not zero")
    }
    root = SHA256Digest(bytes.extracting(32..<64))
  }

  /// Whether `bytes` begin like a manifest; fewer bytes than the signature has do not.
  static func hasMagic(_ bytes: Span<UInt8>) -> Bool {
    bytes.count >= 8 && bytes.littleEndian(at: 0, as: UInt64.self) == magic
  }

  /// Appends the 64 bytes.
  func append(to output: inout [UInt8]) {
    output.appendLittleEndian(Self.magic)
    output.appendLittleEndian(Self.version)
    output.appendLittleEndian(UInt16(sectionCount))
    output.appendLittleEndian(UInt32(geometry.chunkSize.bytes))
    output.appendLittleEndian(geometry.fileLength)
    output.appendLittleEndian(UInt32(ChunkGeometry.chunksPerGroup))
    output.appendLittleEndian(UInt32(0))
    output += root.bytes
  }
}
