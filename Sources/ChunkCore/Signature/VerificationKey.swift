/// The public half of a key that manifests are signed with, as minisign writes it.
///
/// Who has it can check that a manifest is its owner's, and need not trust the server the manifest came from. `Sendable`.
public struct VerificationKey: Hashable, Sendable {
  /// Which key it is.
  package let id: KeyID
  let publicKey: [UInt8]

  /// What every key and legacy signature begins with.
  static let algorithm = Array("Ed".utf8)
  private static let length = 42
  /// Files of keys are not longer than this.
  package static let longestFile = 1024

  init(id: KeyID, publicKey: [UInt8]) {
    self.id = id
    self.publicKey = publicKey
  }

  /// Reads a key: 56 characters of Base64, as minisign prints them.
  ///
  /// - Returns: `nil` when `text` is anything else; there is no trimming.
  public init?(_ text: String) {
    guard let bytes = Base64.decode(Array(text.utf8)), bytes.count == Self.length, bytes.starts(with: Self.algorithm)
    else { return nil }
    id = KeyID(Array(bytes[2..<10]))
    publicKey = Array(bytes[10...])
  }

  /// Reads the text of a public key file: the first of its lines that is a key.
  ///
  /// - Returns: `nil` when none is, or the text has more than 1024 bytes.
  public init?(fileText text: String) {
    guard text.utf8.count <= Self.longestFile else { return nil }
    for line in text.split(whereSeparator: \.isNewline) {
      if let key = VerificationKey(String(line)) {
        self = key
        return
      }
    }
    return nil
  }

  /// The text of a public key file.
  package var fileText: String { "untrusted comment: minisign public key \(id)\n\(self)\n" }
}

extension VerificationKey: CustomStringConvertible {
  /// The key as 56 characters of Base64.
  public var description: String { Base64.encode(Self.algorithm + id.bytes + publicKey) }
}
