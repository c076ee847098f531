/// The text of a secret key file, read but not opened: with a password its content is sealed.
package struct SecretKeyFile: Sendable {
  private enum Protection: Hashable, Sendable {
    case none
    case password(Scrypt, salt: [UInt8])
  }

  private let protection: Protection
  /// Key ID, seed, public key and check; sealed when there is a password.
  private let part: [UInt8]

  private static let comment = "untrusted comment: minisign encrypted secret key"
  private static let scryptName = Array("Sc".utf8)
  private static let checkName = Array("B2".utf8)
  private static let length = 158
  private static let checkLength = 32
  private static let partLength = KeyID.length + 2 * Ed25519.keyLength + checkLength
  /// Files of keys are not longer than this.
  package static let longestFile = 4096
  package static let passwordLengths = 1...1024

  /// - Throws: ``SignatureError`` with the code `keyMalformed`.
  package init(text: String) throws(SignatureError) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.count == 2, lines[0].hasPrefix("untrusted comment: "), let bytes = Base64.decode(Array(lines[1].utf8)),
      bytes.count == Self.length, bytes.starts(with: VerificationKey.algorithm),
      bytes[4..<6].elementsEqual(Self.checkName)
    else {
      throw SignatureError(.keyMalformed, "this is no secret key of minisign's format")
    }
    part = Array(bytes[54...])
    if bytes[2..<4].allSatisfy({ $0 == 0 }) {
      protection = .none
    } else {
      let limits = Scrypt(
        operations: bytes.span.littleEndian(at: 38, as: UInt64.self),
        memory: bytes.span.littleEndian(at: 46, as: UInt64.self))
      guard bytes[2..<4].elementsEqual(Self.scryptName) else {
        throw SignatureError(.keyMalformed, "the secret key is protected in a way that is not known here")
      }
      guard limits.operations <= Scrypt.highest.operations, limits.memory <= Scrypt.highest.memory else {
        throw SignatureError(.keyMalformed, "the secret key asks for more work than any key should")
      }
      protection = .password(limits, salt: Array(bytes[6..<38]))
    }
  }

  package var needsPassword: Bool { protection != .none }

  /// Opens the file with its password.
  ///
  /// - Parameter password: Looked at only where ``needsPassword``.
  /// - Returns: The key.
  /// - Throws: ``SignatureError`` with the code `wrongPassword`, `noMemory` or `keyMalformed`.
  package func open(password: [UInt8]) throws(SignatureError) -> SigningKey {
    var plain = part
    if case .password(let scrypt, let salt) = protection {
      plain = try Self.seal(part, scrypt, password: password, salt: salt)
      let content = plain.dropLast(Self.checkLength)
      guard Self.check(of: content).elementsEqual(plain.suffix(Self.checkLength)) else {
        throw SignatureError(.wrongPassword, "the password is not that of the secret key, or the key is damaged")
      }
    }
    let key = SigningKey(seed: Array(plain[8..<40]), id: KeyID(Array(plain[..<8])))
    guard key.publicKey.elementsEqual(plain[40..<72]) else {
      throw SignatureError(.keyMalformed, "the secret key is damaged")
    }
    return key
  }

  /// The text of the file of a key without a password.
  package static func text(_ key: SigningKey) -> String {
    let part = Self.content(of: key) + [UInt8](repeating: 0, count: checkLength)
    return text(
      name: [0, 0], salt: [UInt8](repeating: 0, count: Scrypt.saltLength), Scrypt(operations: 0, memory: 0), part)
  }

  /// The text of the file of a key that is sealed with a password; `salt` has 32 random bytes.
  ///
  /// - Throws: ``SignatureError`` with the code `noMemory`.
  package static func text(
    _ key: SigningKey, password: [UInt8], scrypt: Scrypt = .standard, salt: [UInt8]? = nil
  ) throws(SignatureError) -> String {
    let salt = salt ?? .random(count: Scrypt.saltLength)
    let content = content(of: key)
    let part = try seal(content + check(of: content[...]), scrypt, password: password, salt: salt)
    return text(name: scryptName, salt: salt, scrypt, part)
  }

  private static func text(name: [UInt8], salt: [UInt8], _ scrypt: Scrypt, _ part: [UInt8]) -> String {
    var bytes = VerificationKey.algorithm + name + checkName + salt
    bytes.appendLittleEndian(scrypt.operations)
    bytes.appendLittleEndian(scrypt.memory)
    return "\(comment)\n\(Base64.encode(bytes + part))\n"
  }

  private static func content(of key: SigningKey) -> [UInt8] { key.id.bytes + key.seed + key.publicKey }

  private static func check(of content: ArraySlice<UInt8>) -> [UInt8] {
    let checked = VerificationKey.algorithm + content
    return BLAKE2b.hash(checked.span, .bytes32)
  }

  /// Seals what is open and opens what is sealed.
  private static func seal(
    _ part: [UInt8], _ scrypt: Scrypt, password: [UInt8], salt: [UInt8]
  ) throws(SignatureError) -> [UInt8] {
    guard let stream = scrypt.derive(partLength, password: password, salt: salt) else {
      throw SignatureError(
        .noMemory, "there is not enough memory for the key's password: \(scrypt.memory >> 20) MiB are needed")
    }
    return zip(part, stream).map { $0 ^ $1 }
  }
}
