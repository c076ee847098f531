import ChunkCore
import FoundationEssentials
import Testing

/// The vectors of `Spec/vectors/signatures.json`, made by the Python reference.
private struct SignatureVectors: Decodable {
  struct Key: Decodable {
    let name: String
    let seed: HexBytes
    let keyID: HexBytes
    let printedID: String
    let publicFile: String
    let secretFile: String
    let password: String
    let salt: HexBytes
    let operations: UInt64
    let memory: UInt64
    let sealedFile: String

    var signing: SigningKey { SigningKey(seed: seed.bytes, id: KeyID(keyID.bytes)) }
  }

  struct Made: Decodable {
    let key: String
    let version: UInt64?
    let text: String
  }

  struct Check: Decodable, CustomTestStringConvertible {
    let name: String
    let text: String
    let minimumVersion: UInt64?
    let error: String?

    var testDescription: String { name }
  }

  let data: HexBytes
  let name: String
  let fileID: String
  let keys: [Key]
  let signatures: [Made]
  let checkedWith: String
  let checks: [Check]

  static let all = Result { try SpecVectors.load("signatures.json", as: SignatureVectors.self) }
}

@Suite struct SignatureTests {
  private static let checks = (try? SignatureVectors.all.get().checks) ?? []
  private let vectors: SignatureVectors

  init() throws { vectors = try SignatureVectors.all.get() }

  @Test func keysAreWrittenAsTheReferenceWritesThem() throws {
    #expect(vectors.keys.count == 2)
    for vector in vectors.keys {
      let key = vector.signing
      #expect(key.id.description == vector.printedID)
      #expect(key.verificationKey.fileText == vector.publicFile)
      #expect(SecretKeyFile.text(key) == vector.secretFile)
      let sealed = try SecretKeyFile.text(
        key, password: Array(vector.password.utf8),
        scrypt: Scrypt(operations: vector.operations, memory: vector.memory),
        salt: vector.salt.bytes)
      #expect(sealed == vector.sealedFile)
    }
  }

  @Test func keysAreReadBack() throws {
    for vector in vectors.keys {
      #expect(VerificationKey(fileText: vector.publicFile) == vector.signing.verificationKey)
      let plain = try SecretKeyFile(text: vector.secretFile)
      #expect(!plain.needsPassword)
      #expect(try plain.open(password: []) == vector.signing)
      let sealed = try SecretKeyFile(text: vector.sealedFile)
      #expect(sealed.needsPassword)
      #expect(try sealed.open(password: Array(vector.password.utf8)) == vector.signing)
      #expect(
        signatureError { () throws(SignatureError) in _ = try sealed.open(password: Array("another".utf8)) }
          == .wrongPassword)
    }
  }

  @Test func newKeysDiffer() {
    let (one, two) = (SigningKey.generate(), SigningKey.generate())
    #expect(one.id != two.id)
    #expect(one.verificationKey != two.verificationKey)
  }

  @Test func whatIsNoKeyIsRefused() throws {
    let text = vectors.checkedWith
    for wrong in [
      "", String(text.dropLast(4)), text + "AAAA", text + "\n", "RU" + text.dropFirst(2), "?" + text.dropFirst(),
    ] {
      #expect(VerificationKey(wrong) == nil)
    }
    #expect(VerificationKey(fileText: "# key of the release\n\(text)\r\n") != nil)
    #expect(VerificationKey(fileText: String(repeating: "\n", count: 1000) + text) == nil)
    let secret = vectors.keys[0].secretFile
    for wrong in [
      "", "no comment\n", secret + "more\n", secret.replacing("RWQAAEIy", with: "RWQAAEIz"),
      secret.replacing("RWQAAEIy", with: "RWQBAEIy"),
    ] {
      #expect(signatureError { () throws(SignatureError) in _ = try SecretKeyFile(text: wrong) } == .keyMalformed)
    }
  }

  /// A key file is no program: it may not ask for any amount of work.
  @Test(arguments: [38, 46]) func aKeyThatAsksForTooMuchIsRefused(limitAt offset: Int) throws {
    let line = try #require(vectors.keys[0].sealedFile.split(separator: "\n").last)
    var bytes = try #require(Data(base64Encoded: String(line)))
    bytes[offset + 4] = 3
    let text = "untrusted comment: x\n\(bytes.base64EncodedString())\n"
    #expect(signatureError { () throws(SignatureError) in _ = try SecretKeyFile(text: text) } == .keyMalformed)
  }

  @Test func signaturesAreThoseOfTheReference() throws {
    let data = vectors.data.bytes
    let hash = BLAKE2b.hash(data.span, .bytes64)
    let fileID = try #require(FileID(vectors.fileID))
    for made in vectors.signatures {
      let key = try #require(vectors.keys.first { $0.name == made.key }).signing
      let comment = try TrustedComment(file: vectors.name, fileID: fileID, version: made.version)
      #expect(key.sign(hash: hash, comment: comment).fileText == made.text)
    }
  }

  @Test(arguments: checks)
  private func checked(_ check: SignatureVectors.Check) throws {
    let key = try #require(VerificationKey(vectors.checkedWith))
    let fileID = try #require(FileID(vectors.fileID))
    var found: String?
    do throws(SignatureError) {
      var verifier = try SignatureVerifier(ManifestSignature(file: Array(check.text.utf8)), key: key)
      // In pieces, as they come from a network.
      let data = vectors.data.bytes
      try verifier.update(data.span.extracting(first: 7))
      try verifier.update(data.span.extracting(droppingFirst: 7))
      try verifier.verify(names: ["x", vectors.name], minimumVersion: check.minimumVersion).check(fileID)
    } catch {
      found = error.code.rawValue
    }
    #expect(found == check.error)
  }

  @Test func legacySignaturesHaveALimit() throws {
    let legacy = try #require(vectors.checks.first { $0.name == "good, legacy" })
    let key = try #require(VerificationKey(vectors.checkedWith))
    var verifier = try SignatureVerifier(ManifestSignature(file: Array(legacy.text.utf8)), key: key)
    let (longest, surplus) = ([UInt8](repeating: 0, count: 16 << 20), [UInt8(0)])
    try verifier.update(longest.span)
    var code: SignatureError.Code?
    do throws(SignatureError) { try verifier.update(surplus.span) } catch { code = error.code }
    #expect(code == .legacyTooLong)
  }

  @Test func namesWithControlCharactersAreNotSigned() throws {
    let fileID = try #require(FileID(vectors.fileID))
    for name in ["a\tb", "a\nb", "a\u{85}b"] {
      #expect(
        signatureError { () throws(SignatureError) in _ = try TrustedComment(file: name, fileID: fileID) }
          == .nameNotSignable)
    }
  }
}

/// The code of the error that `body` throws, `nil` when it throws none.
private func signatureError(_ body: () throws(SignatureError) -> Void) -> SignatureError.Code? {
  do throws(SignatureError) {
    try body()
    return nil
  } catch {
    return error.code
  }
}
