internal import ChunkCore
internal import ChunkStore
internal import CommandSupport

/// Signs manifests with one key, which is opened once however many there are.
struct ManifestSigner: Sendable {
  private let key: SigningKey
  private let version: UInt64?

  /// Reads the key, and asks for its password where it has one.
  init(key path: String, password: PasswordSource, version: UInt64?) throws(Failure) {
    let text = try SmallFile(path, limit: SecretKeyFile.longestFile).text
    let file = try Failure.check(path) { () throws(SignatureError) in try SecretKeyFile(text: text) }
    let password = file.needsPassword ? try password.password(for: path) : []
    key = try Failure.check(path) { () throws(SignatureError) in try file.open(password: password) }
    self.version = version
  }

  /// Where the signature of a manifest goes.
  static func place(ofSignatureFor manifest: String) -> String { "\(manifest).minisig" }

  /// Writes the signature of a manifest beside it.
  ///
  /// - Parameters:
  ///   - path: Where the manifest is: its name is part of what is signed.
  ///   - fileID: What it describes.
  ///   - hash: Its BLAKE2b digest of 64 bytes.
  /// - Throws: ``Failure`` when the name cannot be signed or the signature not be written.
  func sign(_ path: String, fileID: FileID, hash: [UInt8]) throws(Failure) {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let signature = try Failure.check(path) { () throws(SignatureError) in
      key.sign(hash: hash, comment: try TrustedComment(file: name, fileID: fileID, version: version))
    }
    let bytes = Array(signature.fileText.utf8)
    do throws(StoreError) {
      try DurableFile.write(to: OutputPath(Self.place(ofSignatureFor: path))) { sink throws(StoreError) in
        try sink(bytes.span)
      }
    } catch {
      throw Failure(error)
    }
  }
}

extension Failure {
  /// Runs what works with keys and signatures, and says of an error which file it is about.
  static func check<Result>(
    _ path: String, _ body: () throws(SignatureError) -> Result
  ) throws(Failure) -> Result {
    do throws(SignatureError) {
      return try body()
    } catch {
      let status: ExitStatus = error.code == .noMemory || error.code == .nameNotSignable ? .failure : .notTrusted
      throw Failure(status, "\(SafeText.escape(path)): \(SafeText.escape(error.message))")
    }
  }
}

/// The flags of commands that sign.
enum SigningFlags {
  static func version(_ text: String) throws(UsageError) -> UInt64 {
    guard let number = UInt64(text), "\(number)" == text else {
      throw UsageError("not a whole number from 0 to \(UInt64.max)")
    }
    return number
  }

  static let passwordHelp = "the key's password is the first line of FILE; it is asked for at the terminal otherwise"
}
