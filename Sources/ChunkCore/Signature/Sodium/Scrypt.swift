internal import CLibSodium

/// scrypt with libsodium's two limits, from which its parameters follow as `Spec/signature-v1.md` says.
package struct Scrypt: Hashable, Sendable {
  package let operations: UInt64
  /// Bytes that are needed for a moment.
  package let memory: UInt64

  package init(operations: UInt64, memory: UInt64) {
    self.operations = operations
    self.memory = memory
  }

  /// What minisign takes: 1 GiB, some seconds.
  package static let standard = Scrypt(operations: 33_554_432, memory: 1_073_741_824)
  /// More than this is not asked of a machine, whatever a key file says.
  static let highest = Scrypt(operations: 1 << 33, memory: 1 << 32)

  static let saltLength = 32

  /// - Returns: `count` bytes that follow from password and salt; nil when there is not enough memory.
  func derive(_ count: Int, password: [UInt8], salt: [UInt8]) -> [UInt8]? {
    precondition(salt.count == Self.saltLength, "the salt has 32 bytes")
    guard let memory = Int(exactly: memory) else { return nil }
    Sodium.prepare()
    var result = [UInt8](repeating: 0, count: count)
    // libsodium takes passwords as characters; the bytes are the same. Every length stands beside its array but that of
    // the salt, which was checked above.
    let status = unsafe crypto_pwhash_scryptsalsa208sha256(
      &result, UInt64(count), password.map { CChar(bitPattern: $0) }, UInt64(password.count), salt, operations, memory)
    return status == 0 ? result : nil
  }
}
