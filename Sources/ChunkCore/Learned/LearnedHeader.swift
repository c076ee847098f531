/// The header of `NAME.part.learned`: of which version of which URL the chunk IDs behind it are (`Spec/learned-v1.md`,
/// section 1).
///
/// It is not taken apart again: a reader compares its bytes with those it would write itself.
package struct LearnedHeader: Sendable {
  /// Its length, and where the chunk IDs begin.
  package static let byteCount = 4096

  /// The header, `byteCount` bytes.
  package let bytes: [UInt8]

  private static let magic: [UInt8] = [0x89, 0x43, 0x48, 0x4C, 0x0D, 0x0A, 0x1A, 0x0A]
  private static let checkOffset = 4064
  private static let validatorMaximum = 3968

  /// The header for a URL as it is sent, without userinfo and fragment, and a validator as it was received. nil for the empty
  /// file, of which there is nothing to learn, and a validator that is empty or has more than 3968 bytes.
  package init?(url: String, geometry: ChunkGeometry, validator: String, isEntityTag: Bool) {
    let validator = Array(validator.utf8)
    guard geometry.fileLength > 0, (1...Self.validatorMaximum).contains(validator.count) else { return nil }
    var bytes = Self.magic
    bytes.reserveCapacity(Self.byteCount)
    bytes.appendLittleEndian(UInt16(1))
    bytes.appendLittleEndian(UInt16(isEntityTag ? 1 : 2))
    bytes.appendLittleEndian(UInt32(geometry.chunkSize.bytes))
    bytes.appendLittleEndian(geometry.fileLength)
    bytes.appendLittleEndian(UInt32(validator.count))
    bytes.appendLittleEndian(UInt32(0))
    bytes += SHA256Hasher.hash(Array(url.utf8).span).bytes
    bytes += validator
    bytes += [UInt8](repeating: 0, count: Self.checkOffset - bytes.count)
    bytes += SHA256Hasher.hash(bytes.span).bytes
    self.bytes = bytes
  }

  /// Where the ID of a chunk stands in the file.
  package static func place(of chunk: ChunkIndex) -> ByteRange {
    let length = UInt64(SHA256Digest.byteCount)
    return ByteRange(offset: UInt64(byteCount) + UInt64(chunk.rawValue) * length, count: length)
  }
}
