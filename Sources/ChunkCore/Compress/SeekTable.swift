/// The seek table at the end of a pack, for other programs than this one.
///
/// Source: `Spec/pack-v1.md`, section 4. It says nothing that the manifest does not say, so it is never parsed: these are the bytes
/// it has to have.
package struct SeekTable: Sendable {
  private let chunkCount: Int

  /// That of the pack of a file which is cut like this.
  package init(_ geometry: ChunkGeometry) {
    chunkCount = geometry.chunkCount
  }

  /// The length of the whole table in bytes.
  package var length: UInt64 { UInt64(chunkCount) * 8 + 17 }

  /// What it begins with.
  package var beginning: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt32(0x184D_2A5E))
    bytes.appendLittleEndian(UInt32(length - 8))
    return bytes
  }

  /// The 8 bytes of a frame.
  ///
  /// - Parameters:
  ///   - count: The length of the frame.
  ///   - length: The length of the chunk.
  /// - Precondition: Both are those of a chunk, and fit 32 bits.
  /// - Returns: Its entry.
  package static func entry(frame count: UInt64, chunk length: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt32(count))
    bytes.appendLittleEndian(UInt32(length))
    return bytes
  }

  /// What it ends with.
  package var end: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt32(chunkCount))
    bytes.append(0)
    bytes.appendLittleEndian(UInt32(0x8F92_EAB1))
    return bytes
  }
}
