internal import ChunkCore
internal import ChunkSystem
internal import CommandSupport

/// `chunkmanifest keygen`: makes a key to sign manifests with.
enum KeygenCommand: Subcommand {
  struct Options: Sendable {
    /// Nil when the key is to have none.
    var password: PasswordSource? = .terminal
  }

  static let name = "keygen"
  static let summary = "make a key to sign manifests with: NAME.key and NAME.pub"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] NAME"],
      flags: [
        .value("password-file", named: "FILE", group: "Options", help: SigningFlags.passwordHelp) {
          (options, text) throws(UsageError) in options.password = .file(text)
        },
        .toggle("no-password", group: "Options", help: "whoever has the file can sign") { $0.password = nil },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "Keep NAME.key to yourself, and give everybody NAME.pub, or the line this writes on standard output: "
          + "chunkget --public-key takes either. A key that is there is never overwritten. With a password 1 GiB of memory "
          + "is needed for some seconds, here and whenever something is signed."
      ],
      exitStatuses: [.success, .failure, .usage, .disk, .interrupted])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard operands.count == 1 else { throw UsageError("needs one name") }
    let (secretPath, publicPath) = ("\(operands[0]).key", "\(operands[0]).pub")
    do throws(Failure) {
      let key = SigningKey.generate()
      // Nobody should type a password twice to hear only then that there is a key.
      for path in [secretPath, publicPath] { try refuseExisting(path) }
      let password = try options.password?.newPassword(for: secretPath)
      let secret = try Failure.check(secretPath) { () throws(SignatureError) in
        try password.map { password throws(SignatureError) in try SecretKeyFile.text(key, password: password) }
          ?? SecretKeyFile.text(key)
      }
      try write(secret, to: secretPath, permissions: 0o600)
      try write(key.verificationKey.fileText, to: publicPath, permissions: 0o666)
      try console.result("\(key.verificationKey)\n")
      return .success
    } catch {
      console.tell(error.message)
      return error.status
    }
  }

  private static func refuseExisting(_ path: String) throws(Failure) {
    do throws(Errno) {
      _ = try FileSystem().status(path, followsLinks: false)
    } catch {
      return
    }
    throw exists(path)
  }

  private static func write(_ text: String, to path: String, permissions: FilePermissions) throws(Failure) {
    do throws(Errno) {
      let file = try FileSystem().open(path, OpenMode(.write, creation: .always(permissions)))
      try file.pwrite(Array(text.utf8).span, at: 0)
      try file.sync()
    } catch .alreadyExists {
      throw exists(path)
    } catch {
      throw Failure(writing: path, error)
    }
  }

  private static func exists(_ path: String) -> Failure {
    Failure(.failure, "\(SafeText.escape(path)): is there already; a key is never overwritten")
  }
}
