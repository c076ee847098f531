import ChunkCore
import FuzzDriver

private let key = SigningKey(seed: [UInt8](repeating: 1, count: 32), id: KeyID([UInt8](repeating: 2, count: 8)))

/// A signature file. None that was not made with the key is believed.
func examineSignature(_ bytes: [UInt8]) {
  guard let signature = try? ManifestSignature(file: bytes) else { return }
  mustHold(bytes.count <= ManifestSignature.longestFile, "a signature file is not longer than it may be")
  let text = signature.fileText
  guard let again = try? ManifestSignature(file: Array(text.utf8)) else {
    fatalError("does not hold: a signature that is written is read again: \(text)")
  }
  mustHold(again.fileText == text, "a signature that is read again is the same: \(text)")
  if FuzzDriver.hasPlantedBug { mustHold(!text.contains("version:0"), "the planted bug") }
  guard let verifier = try? SignatureVerifier(signature, key: key.verificationKey) else { return }
  mustHold((try? verifier.verify(names: [])) == nil, "nobody signs in another's name: \(text)")
}

/// Key files, public and secret.
func examineKeys(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  if let key = VerificationKey(fileText: text) {
    mustHold(VerificationKey(key.description) == key, "a key that is written is read again: \(key)")
    mustHold(VerificationKey(fileText: key.fileText) == key, "a key file that is written is read again: \(key)")
  }
  guard let file = try? SecretKeyFile(text: text), !file.needsPassword, let secret = try? file.open(password: []) else {
    return
  }
  let written = SecretKeyFile.text(secret)
  guard let again = try? SecretKeyFile(text: written).open(password: []) else {
    fatalError("does not hold: a secret key that is written is read again")
  }
  mustHold(again == secret, "a secret key that is read again is the same")
}
