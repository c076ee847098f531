/// The secret half of a key. Whoever has it can sign manifests in the owner's name.
package struct SigningKey: Hashable, Sendable {
  package let id: KeyID
  let seed: [UInt8]
  let publicKey: [UInt8]

  static let seedLength = Ed25519.keyLength

  /// The key of a seed of 32 bytes, which have to be random and secret.
  package init(seed: [UInt8], id: KeyID) {
    self.seed = seed
    self.id = id
    publicKey = Ed25519.publicKey(ofSeed: seed)
  }

  /// A new key.
  package static func generate() -> SigningKey {
    SigningKey(seed: .random(count: seedLength), id: KeyID(.random(count: KeyID.length)))
  }

  /// What the signatures of this key are checked with.
  package var verificationKey: VerificationKey { VerificationKey(id: id, publicKey: publicKey) }

  /// Signs a manifest.
  ///
  /// - Parameters:
  ///   - hash: Its BLAKE2b digest of 64 bytes.
  ///   - comment: What is said of it beside its bytes.
  /// - Returns: The signature, always the same for the same key, manifest and comment.
  package func sign(hash: [UInt8], comment: TrustedComment) -> ManifestSignature {
    let signature = Ed25519.sign(hash, seed: seed, publicKey: publicKey)
    let global = Ed25519.sign(signature + comment.bytes, seed: seed, publicKey: publicKey)
    return ManifestSignature(
      algorithm: .hashed, keyID: id, signature: signature, comment: comment, commentSignature: global)
  }
}

extension [UInt8] {
  /// Bytes that nobody can guess: the system generator asks the kernel for each.
  static func random(count: Int) -> [UInt8] {
    (0..<count).map { _ in .random(in: 0 ... .max) }
  }
}
