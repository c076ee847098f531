internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// `chunkget URL…`: files from the web. `chunkget store …` is ``StoreCommand``, `chunkget status …` is
/// ``StatusCommand``.
enum GetCommand {
  static func run() async -> ExitStatus {
    let options: GetOptions
    let urls: [ListedFile]
    do throws(UsageError) {
      let words = try CommandWords.ofThisProcess()
      // No URL is one word without a scheme.
      if words.first == StoreCommand.word { return await StoreCommand.run(Array(words.dropFirst())) }
      if words.first == StatusCommand.word { return await StatusCommand.run(Array(words.dropFirst())) }
      let defaults = GetOptions.ofEnvironment
      switch GetOptions.table.begin(words, defaults: defaults, subcommands: subcommands, on: .chunkget) {
      case .end(let status): return status
      case .run(let parsed, let operands):
        options = try Configuration.parse(words, parsed: parsed, defaults: defaults)
        try check(options, operands)
        urls = try WantedURLs.all(operands, options)
      }
    } catch {
      return Console.chunkget.refuse(error)
    }
    return await fetchAll(urls, options)
  }

  private static let subcommands = [StatusCommand.table.command] + StoreCommand.descriptions

  private static func check(_ options: GetOptions, _ urls: [String]) throws(UsageError) {
    try checkMetalink(options, urls)
    guard !urls.isEmpty || options.lockedPath != nil || options.metalink != nil || options.list != nil else {
      throw UsageError("no URL given")
    }
    if options.transfer.minimumVersion != nil, options.transfer.publicKey == nil {
      throw UsageError("--min-version means nothing without --public-key")
    }
    if options.transfer.manifest == .none, options.transfer.publicKey != nil {
      throw UsageError("--public-key needs a manifest, and --no-manifest was given")
    }
    if options.lockedPath != nil, options.transfer.fileID != nil || options.transfer.sha256 != nil {
      throw UsageError("--locked says what is wanted; --id and --sha256 have nothing to add")
    }
    if options.transfer.access.clientKeyFile != nil, options.transfer.access.clientCertificateFile == nil {
      throw UsageError("--key means nothing without --cert")
    }
    if options.output == "-", options.transfer.savesManifest {
      throw UsageError("--save-manifest leaves one beside the file, and -o - makes none")
    }
    if options.output == "-", options.directory != nil {
      throw UsageError("--dir means nothing with -o -")
    }
  }

  private static func checkMetalink(_ options: GetOptions, _ urls: [String]) throws(UsageError) {
    guard options.metalink != nil else { return }
    guard urls.isEmpty else { throw UsageError("the URLs are in the Metalink, but there is one here too") }
    guard options.lockedPath == nil else { throw UsageError("--metalink and --locked both say what is wanted") }
    guard options.output != "-" else {
      throw UsageError(
        "a Metalink's digest cannot be checked before the bytes are out; give a file with -o, or a directory")
    }
  }

  private static func fetchAll(_ urls: [ListedFile], _ options: GetOptions) async -> ExitStatus {
    let display = Display(options)
    let interruption = Interruption { display.tellState() }
    Signal.ignoreBrokenPipes()
    let wanted: [WantedFile]
    let recorder: LockRecorder?
    do throws(TransferError) {
      wanted = try await WantedFile.all(urls, options, interruption)
      recorder = try options.lockPath.map { path throws(TransferError) in try LockRecorder(path) }
    } catch {
      if let signal = interruption.signal { return ExitStatus.interruption(bySignal: signal.rawValue) ?? .failure }
      Console.chunkget.tell(SafeText.escape(error.message))
      return ExitStatus(error.code)
    }
    let batch = Batch(
      files: wanted, options: options, interruption: interruption, display: display,
      recorder: recorder)
    return await batch.run()
  }
}

extension Console {
  static let chunkget = Console(command: "chunkget")
}
