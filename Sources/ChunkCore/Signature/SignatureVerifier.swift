/// Checks that a manifest is what the owner of a key signed, while its bytes pass by. Nothing of them is looked at: what
/// has not been checked is not parsed.
///
/// Takes constant memory, but for legacy signatures, which need all bytes of the manifest: at most 16 MiB.
package struct SignatureVerifier: ~Copyable {
  private let signature: ManifestSignature
  private let key: VerificationKey
  private var hash = BLAKE2b(.bytes64)
  /// The manifest itself, for a legacy signature.
  private var content: [UInt8] = []

  /// - Throws: ``SignatureError`` with the code `wrongKey` when the signature is of another one.
  package init(_ signature: ManifestSignature, key: VerificationKey) throws(SignatureError) {
    guard signature.keyID == key.id else {
      throw SignatureError(
        .wrongKey, "the signature was made with the key \(signature.keyID), not with the one given, which is \(key.id)")
    }
    self.signature = signature
    self.key = key
  }

  /// Takes the next bytes of the manifest.
  ///
  /// - Throws: ``SignatureError`` with the code `legacyTooLong`.
  package mutating func update(_ bytes: Span<UInt8>) throws(SignatureError) {
    switch signature.algorithm {
    case .hashed: hash.update(bytes)
    case .legacy:
      guard content.count + bytes.count <= ManifestSignature.longestLegacyContent else {
        throw SignatureError(
          .legacyTooLong,
          "the signature is of minisign's legacy form, which is checked for manifests up to 16 MiB; sign it without -l")
      }
      // The buffer is copied before the call returns.
      unsafe bytes.withUnsafeBufferPointer { unsafe content.append(contentsOf: $0) }
    }
  }

  /// Once all bytes have been taken: whether all that was signed holds.
  ///
  /// - Parameters:
  ///   - names: What the manifest may be called, without directory.
  ///   - minimumVersion: What the signed version must at least be; nil when it does not matter.
  /// - Returns: What the signer said, to be compared with what the manifest says.
  /// - Throws: ``SignatureError`` with one of the codes from `wrongSignature` to `rolledBack`.
  package consuming func verify(
    names: [String], minimumVersion: UInt64? = nil
  ) throws(SignatureError) -> TrustedComment {
    let comment = signature.comment
    let message = signature.algorithm == .legacy ? content : hash.finalize()
    let holds = Ed25519.holds(signature.signature, of: message, by: key.publicKey)
    guard
      Ed25519.holds(
        signature.commentSignature, of: signature.signature + comment.bytes, by: key.publicKey)
    else {
      throw holds
        ? SignatureError(.commentChanged, "the trusted comment was changed after the manifest had been signed")
        : SignatureError(.wrongSignature, "the signature is not one that the key \(key.id) made")
    }
    // The comment is genuine from here on, whatever the manifest is.
    if let file = comment.file, !names.contains(file) {
      throw SignatureError(.otherFile, "the signature is that of another file, \(file)")
    }
    guard holds else {
      throw SignatureError(.manifestChanged, "the manifest is not the one that was signed: it was changed, or replaced")
    }
    if let minimumVersion { try comment.check(minimumVersion: minimumVersion) }
    return comment
  }
}

extension TrustedComment {
  fileprivate func check(minimumVersion: UInt64) throws(SignatureError) {
    guard let version else {
      throw SignatureError(.rolledBack, "the signature names no version, and at least \(minimumVersion) is wanted")
    }
    guard version >= minimumVersion else {
      throw SignatureError(
        .rolledBack, "the signed version is \(version), and at least \(minimumVersion) is wanted: it was rolled back")
    }
  }

  /// Compares the file ID that was signed with the one of the manifest.
  ///
  /// - Throws: ``SignatureError`` with the code `otherFileID`.
  package func check(_ fileID: FileID) throws(SignatureError) {
    guard let said = self.fileID, said != fileID.description else { return }
    throw SignatureError(.otherFileID, "the signature is for \(said), and the manifest is that of \(fileID)")
  }

  /// What the comment does not say, so that it could not be compared: for people; nil when there is nothing of the kind.
  package var omission: String? {
    switch (file, fileID) {
    case (nil, nil): "neither the name of the file nor its ID"
    case (nil, _): "not the name of the file"
    case (_, nil): "not the ID of the file"
    default: nil
    }
  }
}
