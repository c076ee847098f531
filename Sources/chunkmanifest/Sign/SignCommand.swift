internal import ChunkCore
internal import CommandSupport

/// `chunkmanifest sign`: says of manifests that they are the key owner's.
enum SignCommand: Subcommand {
  struct Options: Sendable {
    var key: String?
    var version: UInt64?
    var password = PasswordSource.terminal
    var isQuiet = false
  }

  static let name = "sign"
  static let summary = "sign a manifest, as MANIFEST.minisig"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] -s KEY MANIFEST…"],
      flags: [
        .value("secret-key", short: "s", named: "KEY", group: "Options", help: "sign with the secret key in this file")
        {
          (options, text) throws(UsageError) in options.key = text
        },
        .value(
          "version", named: "N", group: "Options",
          help: "sign the number N too: a client that was told --min-version refuses what is older"
        ) { (options, text) throws(UsageError) in options.version = try SigningFlags.version(text) },
        .value("password-file", named: "FILE", group: "Options", help: SigningFlags.passwordHelp) {
          (options, text) throws(UsageError) in options.password = .file(text)
        },
        .toggle("quiet", short: "q", group: "Options", help: "show no file IDs") { $0.isQuiet = true },
        .stop(.help, "help", short: "h", group: "Options", help: "show this and exit"),
      ],
      notes: [
        "The manifest is checked before it is signed. Its name and file ID are signed with it, so that a signature cannot be "
          + "passed off as that of another file: sign it under the name it will have. Keys and signatures are those of "
          + "minisign, which can check them and make them."
      ],
      exitStatuses: [.success, .failure, .usage, .notTrusted, .disk, .interrupted])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard let key = options.key else { throw UsageError("needs a secret key", hint: "give one with -s") }
    if operands.isEmpty { throw UsageError("needs a manifest") }
    do throws(Failure) {
      let signer = try ManifestSigner(key: key, password: options.password, version: options.version)
      for path in operands {
        let stored = try StoredManifest(path)
        let fileID = stored.manifest.fileID
        try signer.sign(path, fileID: fileID, hash: stored.hash)
        if !options.isQuiet {
          try console.result("\(fileID)  \(SafeText.escape(ManifestSigner.place(ofSignatureFor: path)))\n")
        }
      }
      return .success
    } catch {
      console.tell(error.message)
      return error.status
    }
  }
}
