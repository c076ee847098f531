internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkmanifest metalink`: says for other download programs what a manifest says.
enum MetalinkCommand: Subcommand {
  struct Options: Sendable {
    var urls: [String] = []
    var output: String?
    var file: String?
    var isQuiet = false
  }

  static let name = "metalink"
  static let summary = "write a Metalink 4 of what a manifest describes, as NAME.meta4"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] --url URL… MANIFEST"],
      flags: [
        .value(
          "url", named: "URL", group: "Options", help: "the file is there; the best place first", isRepeatable: true
        ) { (options, text) throws(UsageError) in options.urls.append(try url(text)) },
        .value("output", short: "o", named: "OUT", group: "Options", help: "write to OUT; - is standard output") {
          (options, text) throws(UsageError) in options.output = text
        },
        .value(
          "file", named: "FILE", group: "Options",
          help: "compare FILE with the manifest, and take its SHA-256, which the manifest may lack"
        ) { (options, text) throws(UsageError) in options.file = text },
        .toggle("quiet", short: "q", group: "Options", help: "show no progress") { $0.isQuiet = true },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "A Metalink needs the SHA-256 of the whole file: build --sha256 puts it into the manifest. The pieces are the chunks, so "
          + "that aria2 and others verify them while they arrive, and chunkget --metalink does as with a manifest."
      ],
      exitStatuses: [
        .success, .failure, .usage, .notTrusted, .sourceChanged, .disk, .interrupted, .terminated,
      ])
  }

  private static func url(_ text: String) throws(UsageError) -> String {
    let isURL = text.hasPrefix("http://") || text.hasPrefix("https://")
    guard isURL, MetalinkText.isExpressible(text), !text.contains(" ") else {
      throw UsageError("not an http or https URL")
    }
    return text
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard operands.count == 1 else { throw UsageError("needs one manifest") }
    guard !options.urls.isEmpty else {
      throw UsageError("needs a place to fetch the file from", hint: "give one with --url")
    }
    let path = operands[0]
    do throws(Failure) {
      let stored = try StoredManifest(path)
      let stem = path.hasSuffix(".chunks") ? String(path.dropLast(".chunks".count)) : path
      let name = stored.manifest.metadata?.name ?? stem.split(separator: "/").last.map(String.init) ?? ""
      guard ManifestMetadata.isFileName(name), MetalinkText.isExpressible(name) else {
        throw Failure(.failure, "\(SafeText.escape(path)): gives no name that a file in a Metalink can have")
      }
      let text = MetalinkText(
        name: name, sha256: try digest(options, stored, path, console), urls: options.urls, stored: stored)
      try write(text, to: options.output ?? "\(stem).meta4", console)
      return .success
    } catch {
      console.tell(error.message)
      return error.status
    }
  }

  /// The SHA-256 of the whole: of the file, if there is one to compare, or as the manifest has it.
  private static func digest(
    _ options: Options, _ stored: StoredManifest, _ path: String, _ console: Console
  ) throws(Failure) -> SHA256Digest {
    guard let file = options.file else {
      if let claimed = stored.manifest.metadata?.sha256 { return claimed }
      throw Failure(
        .failure, "\(SafeText.escape(path)): has no SHA-256 of the whole file; give the file with --file FILE")
    }
    let geometry = stored.manifest.geometry
    let session = try HashingSession(on: console, isQuiet: options.isQuiet)
    let hashed = try session.run(on: file) { progress throws(StoreError) in
      try ManifestBuilder().hash(file, chunkSize: geometry.chunkSize, wholeFile: true, progress: progress)
    }
    let ids = (0..<geometry.groupCount).lazy.flatMap { stored.ids(ofGroup: $0) }
    guard hashed.geometry == geometry, hashed.chunkIDs.elementsEqual(ids), let digest = hashed.wholeFile else {
      throw Failure(.notTrusted, "\(SafeText.escape(file)): is not the file that \(SafeText.escape(path)) describes")
    }
    return digest
  }

  private static func write(_ text: MetalinkText, to path: String, _ console: Console) throws(Failure) {
    guard path != "-" else {
      return try text.write { piece throws(Failure) in try console.result(piece) }
    }
    do throws(StoreError) {
      try DurableFile.write(to: OutputPath(path)) { sink throws(StoreError) in
        try text.write { piece throws(StoreError) in
          let bytes = Array(piece.utf8)
          try sink(bytes.span)
        }
      }
    } catch {
      throw Failure(error)
    }
  }
}
