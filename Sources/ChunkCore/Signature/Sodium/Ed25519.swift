internal import CLibSodium

/// Ed25519, as RFC 8032 has it. Seeds and public keys have 32 bytes, signatures 64.
enum Ed25519 {
  static let keyLength = 32
  static let signatureLength = 64

  /// The public key of a seed.
  static func publicKey(ofSeed seed: [UInt8]) -> [UInt8] {
    precondition(seed.count == keyLength, "an Ed25519 seed has 32 bytes")
    Sodium.prepare()
    var publicKey = [UInt8](repeating: 0, count: keyLength)
    var secretKey = [UInt8](repeating: 0, count: 2 * keyLength)
    // The arrays have the lengths that libsodium documents for the three.
    let status = unsafe crypto_sign_seed_keypair(&publicKey, &secretKey, seed)
    precondition(status == 0, "libsodium could not make a key")
    return publicKey
  }

  /// The signature of `message` by the key of `seed`: the same for the same two.
  static func sign(_ message: [UInt8], seed: [UInt8], publicKey: [UInt8]) -> [UInt8] {
    precondition(seed.count == keyLength && publicKey.count == keyLength, "Ed25519 keys have 32 bytes")
    Sodium.prepare()
    var signature = [UInt8](repeating: 0, count: signatureLength)
    // What libsodium calls the secret key is the seed and the public key, 64 bytes.
    let status = unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), seed + publicKey)
    precondition(status == 0, "libsodium could not sign")
    return signature
  }

  /// Whether `signature` is one of `message` by the owner of `publicKey`.
  static func holds(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
    guard signature.count == signatureLength, publicKey.count == keyLength else { return false }
    Sodium.prepare()
    // The lengths that libsodium takes for granted were checked above.
    return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
  }
}
