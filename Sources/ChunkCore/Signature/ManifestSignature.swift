/// The content of a signature file, well-formed, but that nothing vouches for yet: `SignatureVerifier` checks it.
package struct ManifestSignature: Sendable {
  package enum Algorithm: String, Sendable {
    /// The BLAKE2b digest of the manifest is signed.
    case hashed = "ED"
    /// The manifest itself is signed.
    case legacy = "Ed"
  }

  package let algorithm: Algorithm
  package let keyID: KeyID
  let signature: [UInt8]
  /// What the signer says, of which nothing is to be believed before it was checked.
  let comment: TrustedComment
  /// Signs `signature` and `comment` together.
  let commentSignature: [UInt8]

  /// Signature files are not longer than this.
  package static let longestFile = 12_288
  /// The longest manifest a legacy signature is checked for, as all of it has to be in memory.
  package static let longestLegacyContent = 16 << 20

  private static let untrusted = Array("untrusted comment: ".utf8)
  private static let trusted = Array("trusted comment: ".utf8)
  private static let globalTextLength = 88

  init(
    algorithm: Algorithm, keyID: KeyID, signature: [UInt8], comment: TrustedComment, commentSignature: [UInt8]
  ) {
    self.algorithm = algorithm
    self.keyID = keyID
    self.signature = signature
    self.comment = comment
    self.commentSignature = commentSignature
  }

  /// Reads all bytes of a signature file.
  ///
  /// - Throws: ``SignatureError`` with the code `signatureTooLong`, `signatureTruncated` or `signatureMalformed`.
  package init(file: [UInt8]) throws(SignatureError) {
    guard file.count <= Self.longestFile else {
      throw SignatureError(.signatureTooLong, "the signature is longer than any: \(Self.longestFile) bytes are allowed")
    }
    guard file.starts(with: Self.untrusted) || Self.untrusted.starts(with: file) else { throw Self.malformed }
    let lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
      line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }
    let surplus = lines.dropFirst(4).contains { !$0.isEmpty }
    guard lines.count >= 4, surplus || lines[3].count >= Self.globalTextLength else {
      throw SignatureError(.signatureTruncated, "the signature is cut off")
    }
    guard !surplus, lines[2].starts(with: Self.trusted), let head = Base64.decode(lines[1]), head.count == 74,
      let algorithm = Algorithm(rawValue: String(decoding: head[..<2], as: UTF8.self)),
      let global = Base64.decode(lines[3]), global.count == Ed25519.signatureLength
    else { throw Self.malformed }
    self.init(
      algorithm: algorithm, keyID: KeyID(Array(head[2..<10])), signature: Array(head[10...]),
      comment: try TrustedComment(bytes: Array(lines[2].dropFirst(Self.trusted.count))), commentSignature: global)
  }

  private static let malformed = SignatureError(
    .signatureMalformed, "what is there is not a signature of minisign's format")

  /// The text of the signature file.
  package var fileText: String {
    """
    untrusted comment: signature from chunkmanifest secret key
    \(Base64.encode(Array(algorithm.rawValue.utf8) + keyID.bytes + signature))
    trusted comment: \(String(decoding: comment.bytes, as: UTF8.self))
    \(Base64.encode(commentSignature))

    """
  }
}
