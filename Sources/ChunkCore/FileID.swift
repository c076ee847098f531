/// The name of a file's content together with the way it is cut: what a person pins.
///
/// It is the SHA-256 of the ASCII text `chunks/1`, the file length and the chunk size (both 64 bits, little-endian) and
/// the Merkle root. It follows that whoever has the file ID can check a manifest from anywhere. The same bytes cut at
/// another chunk size have another file ID.
public struct FileID: Hashable, Sendable {
  /// The digest that is the name.
  public let digest: SHA256Digest

  /// What the printed form starts with.
  private static let prefix = "chunks1-"

  /// The ID of the file of `fileLength` bytes whose chunks of `chunkSize` have the Merkle root `root`.
  public init(fileLength: UInt64, chunkSize: ChunkSize, root: SHA256Digest) {
    var input = Array("chunks/1".utf8)
    input.appendLittleEndian(fileLength)
    input.appendLittleEndian(UInt64(chunkSize.bytes))
    input += root.bytes
    digest = SHA256Hasher.hash(input.span)
  }

  /// Reads what ``description`` prints, or the 64 hexadecimal digits alone, lower or upper case.
  ///
  /// - Returns: `nil` when `text` is anything else.
  public init?(_ text: String) {
    let hex = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
    guard let digest = SHA256Digest(hex: hex) else { return nil }
    self.digest = digest
  }

  /// The 64 digits alone, lower case.
  public var hex: String { digest.hex }
}

extension FileID: CustomStringConvertible {
  /// `chunks1-` and the 64 digits.
  public var description: String { Self.prefix + hex }
}
