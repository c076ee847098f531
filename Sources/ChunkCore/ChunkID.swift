/// The name of a chunk: the plain SHA-256 of its bytes, so that `sha256sum` on the bytes prints it.
public struct ChunkID: Hashable, Sendable {
  /// The digest that is the name.
  public let digest: SHA256Digest

  /// The chunk whose bytes have this digest.
  public init(_ digest: SHA256Digest) {
    self.digest = digest
  }

  /// Reads 64 hexadecimal digits, lower or upper case.
  ///
  /// - Returns: `nil` when `hex` is anything else.
  public init?(hex: String) {
    guard let digest = SHA256Digest(hex: hex) else { return nil }
    self.init(digest)
  }

  /// All 64 digits, lower case.
  public var hex: String { digest.hex }

  /// The first 12 digits, enough for a message.
  public var short: String { String(hex.prefix(12)) }
}

extension ChunkID: CustomStringConvertible {
  /// Same as ``hex``.
  public var description: String { hex }
}
