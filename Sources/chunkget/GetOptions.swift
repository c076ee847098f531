internal import ChunkCore
internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// What the command line decided.
struct GetOptions: Sendable {
  enum ProgressKind: String, CaseIterable, Sendable { case bar, json, none }

  var transfer = TransferOptions()
  /// `-o`: the output, `-` for standard output.
  var output: String?
  var directory: String?
  var progress = ProgressKind.bar
  var isVerbose = false
  /// `--metalink`: what describes the files that are wanted.
  var metalink: String?
  /// `--lock`: where to note what was downloaded.
  var lockPath: String?
  /// `--locked`: what is wanted, and nothing else.
  var lockedPath: String?
  /// The first flag of those that belong to one file, for the message when there are several.
  var singleFileFlag: String?
}

extension GetOptions {
  /// What holds where no flag says otherwise.
  static var ofEnvironment: GetOptions {
    var options = GetOptions()
    if let store = EnvironmentVariable.value(of: "CHUNKGET_STORE"), !store.isEmpty { options.transfer.store = store }
    return options
  }

  private static let files = "Files"
  private static let trust = "Trust"
  private static let network = "Network"
  private static let messages = "Messages"

  /// Every flag of the command, what it does and what the help says of it.
  static let table = FlagTable<GetOptions>(
    name: "chunkget",
    summary: "Fetch large files in verified chunks, in parallel; whatever breaks, run it again and it goes on.",
    usage: ["[options] URL…", "store COMMAND [options] …"],
    flags: fileFlags + trustFlags + networkFlags + accessFlags + messageFlags
      + Flag.documents(group: messages) + habits,
    notes: [
      "The manifest is looked for at the URL with .chunks appended. What is verified lies in NAME.part until the file is "
        + "complete; it is never taken for right without being hashed again.",
      "With CHUNKGET_STORE set to a directory, that is the store unless --store says otherwise. See chunkget store --help.",
      "A SIZE may end in K, M, G or T (powers of 1024).",
    ])

  private static let fileFlags: [Flag<GetOptions>] = [
    .value("output", short: "o", named: "PATH", group: files, help: "write to PATH; - is standard output, in order") {
      (options, text) throws(UsageError) in
      guard !text.isEmpty else { throw UsageError("the path is empty") }
      options.output = text
      options.singleFileFlag = options.singleFileFlag ?? "--output"
    },
    .value("dir", short: "d", named: "DIR", group: files, help: "make files in DIR") {
      (options, text) throws(UsageError) in options.directory = text
    },
    .value(
      "seed", named: "FILE", group: files, help: "take what FILE has of it, such as an older version",
      isRepeatable: true
    ) {
      (options, text) throws(UsageError) in options.transfer.seeds.append(text)
    },
    .value("metalink", named: "FILE|URL", group: files, help: "fetch the files that this Metalink 4 describes") {
      (options, text) throws(UsageError) in options.metalink = text
    },
    .value(
      "store", named: "DIR", group: files, help: "take chunks from the store in DIR, and put there what is fetched"
    ) {
      (options, text) throws(UsageError) in options.transfer.store = text.isEmpty ? nil : text
    },
    .toggle("compress", group: files, help: "put them there compressed where that saves 5 %") {
      $0.transfer.compressesStore = true
    },
    .toggle("no-clobber", group: files, help: "leave an existing file of another content alone") {
      $0.transfer.mayReplace = false
    },
    .toggle("save-manifest", group: files, help: "leave a manifest beside the file, NAME.chunks") {
      $0.transfer.savesManifest = true
    },
  ]

  private static let trustFlags: [Flag<GetOptions>] = [
    .value("id", named: "ID", group: trust, help: "the file ID that is wanted, and no other") {
      (options, text) throws(UsageError) in
      guard let id = FileID(text) else { throw UsageError("not a file ID (chunks1- and 64 hex digits)") }
      options.transfer.fileID = id
      options.singleFileFlag = options.singleFileFlag ?? "--id"
    },
    .value("manifest", named: "URL|PATH", group: trust, help: "the manifest is there") {
      (options, text) throws(UsageError) in
      options.transfer.manifest = .at(text)
      options.singleFileFlag = options.singleFileFlag ?? "--manifest"
    },
    .toggle("no-manifest", group: trust, help: "do not look for one; nothing is verified but by --sha256") {
      $0.transfer.manifest = .none
    },
    .value(
      "public-key", named: "KEY|FILE", group: trust,
      help: "the manifest must be signed with this key of minisign's, in .minisig beside it"
    ) {
      (options, text) throws(UsageError) in options.transfer.publicKey = try PublicKeyArgument.key(text)
    },
    .value("min-version", named: "N", group: trust, help: "the signature must name version N or a later one") {
      (options, text) throws(UsageError) in
      guard let version = UInt64(text) else { throw UsageError("not a whole number from 0 to \(UInt64.max)") }
      options.transfer.minimumVersion = version
    },
    .value("sha256", named: "HEX", group: trust, help: "the whole file must have this digest") {
      (options, text) throws(UsageError) in
      guard let digest = SHA256Digest(hex: text) else { throw UsageError("not a SHA-256 (64 hex digits)") }
      options.transfer.sha256 = digest
      options.singleFileFlag = options.singleFileFlag ?? "--sha256"
    },
    .value("lock", named: "FILE", group: trust, help: "note in FILE what was downloaded, so that --locked can tell") {
      (options, text) throws(UsageError) in
      options.lockPath = text
      options.transfer.computesSHA256 = true
    },
    .value(
      "locked", named: "FILE", group: trust, help: "download exactly what FILE says; without URLs all that is in it"
    ) {
      (options, text) throws(UsageError) in options.lockedPath = text
    },
    .value("checksums", named: "FILE|URL", group: trust, help: "a SHA256SUMS that has the digest of the whole file") {
      (options, text) throws(UsageError) in options.transfer.checksums = text
    },
    .toggle(
      "require-verified", group: trust,
      help: "refuse what no manifest over TLS, ID, signature or local manifest vouches for"
    ) {
      $0.transfer.requiresVerification = true
    },
  ]

  private static let networkFlags: [Flag<GetOptions>] = [
    .value("connections", short: "x", named: "N", group: network, help: "use N connections (4 to 16, by goodput)") {
      (options, text) throws(UsageError) in
      if text.contains("://") {
        throw UsageError("that is a URL, not a number of connections", hint: "for a proxy use --proxy")
      }
      options.transfer.connections = try FlagValue.integer(text, in: 1...32)
    },
    .value("mirror", named: "URL", group: network, help: "the file is here too", isRepeatable: true) {
      (options, text) throws(UsageError) in
      options.transfer.mirrors.append(text)
      options.singleFileFlag = options.singleFileFlag ?? "--mirror"
    },
    .value("chunk-store", named: "URL", group: network, help: "its chunks are here too, one by one", isRepeatable: true)
    {
      (options, text) throws(UsageError) in options.transfer.chunkStores.append(text)
    },
    .value("retry", named: "N", group: network, help: "give a source up after N failures in a row (5)") {
      (options, text) throws(UsageError) in options.transfer.retries = try FlagValue.integer(text, in: 0...1000)
    },
    .value("retry-max-time", named: "S", group: network, help: "give up after S seconds without a verified chunk (600)")
    {
      (options, text) throws(UsageError) in options.transfer.patience = try FlagValue.seconds(text)
    },
    .value("connect-timeout", named: "S", group: network, help: "a connection must be made within S seconds (30)") {
      (options, text) throws(UsageError) in options.transfer.connectTimeout = try FlagValue.seconds(text)
    },
    .value("stall-timeout", named: "S", group: network, help: "ask again when no data comes for S seconds (30)") {
      (options, text) throws(UsageError) in options.transfer.stallTimeout = try FlagValue.seconds(text)
    },
    .value("limit-rate", named: "SIZE", group: network, help: "at most SIZE bytes a second, all connections together") {
      (options, text) throws(UsageError) in
      let size = try FlagValue.size(text)
      guard size.bytes > 0 else { throw UsageError("the rate must be more than 0") }
      options.transfer.rateLimit = size.bytes
    },
    .value("cacert", named: "FILE", group: network, help: "trust the certificate authorities in FILE (PEM)") {
      (options, text) throws(UsageError) in options.transfer.certificateAuthorityFile = text
    },
  ]

  private static let messageFlags: [Flag<GetOptions>] = [
    .value("progress", named: "KIND", group: messages, help: "bar, json (a line an event on standard error) or none") {
      (options, text) throws(UsageError) in options.progress = try FlagValue.word(text, of: ProgressKind.self)
    },
    .toggle("quiet", short: "q", group: messages, help: "say nothing but errors") { $0.progress = .none },
    .toggle("verbose", short: "v", group: messages, help: "say more: manifest, trust, sources") { $0.isVerbose = true },
    .stop(.help, "help", short: "h", group: messages, help: "this text"),
    .stop(.version, "version", short: "V", group: messages, help: "the version"),
  ]

  private static let habits: [Flag<GetOptions>] = [
    .habit("location", short: "L"), .habit("remote-name", short: "O"), .habit("continue", short: "c"),
    .habit("fail", short: "f"),
    .habit(
      "continue-at", short: "C", only: "-",
      hint: "there is nothing to say: what is on disk is hashed, and only the rest is fetched"),
    .toggle(nil, short: "s", group: messages, help: "as -q") { $0.progress = .none },
  ]
}
