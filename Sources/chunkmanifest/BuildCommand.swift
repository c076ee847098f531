internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkmanifest build`: hashes files and writes what describes them.
enum BuildCommand: Subcommand {
  struct Options: Sendable {
    var output: String?
    var chunkSize: ChunkSize?
    var hashesWholeFile = false
    var hashesWeakly = false
    var packLevel: PackLevel?
    var isPacked = false
    var sources: [ManifestMetadata.Source] = []
    var writesChecksums = false
    var signingKey: String?
    var signedVersion: UInt64?
    var password = PasswordSource.terminal
    var isQuiet = false
  }

  static let name = "build"
  static let summary = "write the manifest of a file beside it, as FILE.chunks"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] FILE…"],
      flags: [
        .value("output", short: "o", named: "OUT", group: "Options", help: "write to OUT; - is standard output") {
          (options, text) throws(UsageError) in options.output = text
        },
        .value(
          "chunk-size", named: "SIZE", group: "Options",
          help:
            "cut the file into chunks of SIZE, a power of two from 4K to 4M; 256K if not given, more for files over 256G"
        ) { (options, text) throws(UsageError) in options.chunkSize = try chunkSize(text) },
        .toggle("sha256", group: "Options", help: "note the SHA-256 of the whole file too, which takes longer") {
          $0.hashesWholeFile = true
        },
        .toggle(
          "weak", group: "Options",
          help:
            "add what finds chunks at any place of an older version, also where bytes were inserted; 8 bytes a chunk"
        ) {
          $0.hashesWeakly = true
        },
        .toggle(
          "pack", group: "Options",
          help:
            "write the file compressed too, as FILE.zst beside the manifest, of which every chunk can be fetched alone"
        ) {
          $0.isPacked = true
        },
        .value(
          "level", named: "N", group: "Options",
          help: "compress the pack with this level of zstd, 1 to 22; 3 if not given"
        ) { (options, text) throws(UsageError) in options.packLevel = try packLevel(text) },
        .toggle(
          "checksums", group: "Options",
          help: "as --sha256, and write it to SHA256SUMS beside FILE, for sha256sum -c"
        ) {
          $0.hashesWholeFile = true
          $0.writesChecksums = true
        },
        .value(
          "source", named: "URL", group: "Options",
          help: "note that the file is there too, in full or relative to the manifest's own place", isRepeatable: true
        ) { (options, text) throws(UsageError) in options.sources.append(try source(.file, text)) },
        .value(
          "source-store", named: "URL", group: "Options",
          help: "note that the chunks are there, as export-store writes them; in full or relative", isRepeatable: true
        ) { (options, text) throws(UsageError) in options.sources.append(try source(.store, text)) },
        .value("sign", named: "KEY", group: "Options", help: "sign the manifest too, with the secret key in this file")
        {
          (options, text) throws(UsageError) in options.signingKey = text
        },
        .value("sign-version", named: "N", group: "Options", help: "sign the number N too; see sign --help") {
          (options, text) throws(UsageError) in options.signedVersion = try SigningFlags.version(text)
        },
        .value("password-file", named: "FILE", group: "Options", help: SigningFlags.passwordHelp) {
          (options, text) throws(UsageError) in options.password = .file(text)
        },
        .toggle("quiet", short: "q", group: "Options", help: "show no progress and no file IDs") { $0.isQuiet = true },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "Writes one line for each file on standard output: its file ID, which a user can pin with chunkget --id, and its name. The "
          + "same file and options always give the same manifest. A manifest that is there already is replaced once the new one is "
          + "complete; in SHA256SUMS what is said of other files is kept."
      ],
      exitStatuses: [
        .success, .failure, .usage, .notTrusted, .sourceChanged, .disk, .interrupted, .terminated,
      ])
  }

  private static func chunkSize(_ text: String) throws(UsageError) -> ChunkSize {
    let size = try FlagValue.size(text)
    guard let bytes = Int(exactly: size.bytes), let chunkSize = ChunkSize(bytes: bytes) else {
      throw UsageError("a chunk size is a power of two from 4K to 4M")
    }
    return chunkSize
  }

  private static func packLevel(_ text: String) throws(UsageError) -> PackLevel {
    guard let number = Int(text), let level = PackLevel(number) else {
      throw UsageError("a level is a number from \(PackLevel.range.lowerBound) to \(PackLevel.range.upperBound)")
    }
    return level
  }

  private static func source(
    _ kind: ManifestMetadata.Source.Kind, _ text: String
  ) throws(UsageError) -> ManifestMetadata.Source {
    do throws(ManifestError) {
      return try ManifestMetadata.Source(kind: kind, url: text)
    } catch {
      throw UsageError(error.message)
    }
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    if operands.isEmpty { throw UsageError("needs a file") }
    if operands.count > 1, options.output != nil {
      throw UsageError("--output takes one file, and there are \(operands.count)")
    }
    if operands.count > 1, options.sources.contains(where: { $0.kind == .file }) {
      throw UsageError("--source belongs to one file, and there are \(operands.count)")
    }
    if options.sources.count + (options.isPacked ? 1 : 0) > ManifestLimits.sources {
      throw UsageError("a manifest names at most \(ManifestLimits.sources) sources, a pack included")
    }
    if options.isPacked, options.output == "-" {
      throw UsageError("--pack writes beside the manifest, so that has to be a file")
    }
    if options.packLevel != nil, !options.isPacked {
      throw UsageError("--level means nothing without --pack")
    }
    if options.signingKey != nil, options.output == "-" {
      throw UsageError("--sign writes beside the manifest, so that has to be a file")
    }
    if options.signedVersion != nil, options.signingKey == nil {
      throw UsageError("--sign-version means nothing without --sign")
    }
    var status = ExitStatus.success
    var checksums = ChecksumFiles()
    do throws(Failure) {
      let signer = try options.signingKey.map { key throws(Failure) in
        try ManifestSigner(key: key, password: options.password, version: options.signedVersion)
      }
      let session = try HashingSession(on: console, isQuiet: options.isQuiet)
      for path in operands {
        if let interrupted = session.interruption.status { return interrupted }
        do throws(Failure) {
          let digest = try build(path, options, signer, session, console)
          if options.writesChecksums, let digest { try checksums.set(digest, of: path) }
        } catch {
          // Like other tools that take many files: go on, and tell at the end that not all went well.
          console.tell(error.message)
          if status == .success { status = error.status }
        }
      }
      try checksums.write()
    } catch {
      console.tell(error.message)
      return error.status
    }
    return status
  }

  /// - Returns: The digest of the whole file, where it was asked for.
  private static func build(
    _ path: String, _ options: Options, _ signer: ManifestSigner?, _ session: HashingSession, _ console: Console
  ) throws(Failure) -> SHA256Digest? {
    let place = options.output ?? "\(path).chunks"
    let destination = try Destination(place, describing: path)
    var sources = options.sources
    let pack = options.isPacked ? try PackDestination(beside: place, describing: path) : nil
    if let pack { sources.append(pack.source) }
    let hashed = try session.run(on: path) { progress throws(StoreError) in
      try ManifestBuilder().hash(
        path, chunkSize: options.chunkSize, wholeFile: options.hashesWholeFile, weak: options.hashesWeakly,
        progress: progress)
    }
    // Before the manifest, which tells of it.
    let frameEnds = try pack?.write(of: path, hashed, level: options.packLevel ?? .standard, session)
    let manifest = try encode(hashed, path: path, sources: sources, frameEnds: frameEnds)
    try destination.write(manifest)
    try signer?.sign(place, fileID: manifest.fileID, hash: manifest.hash)
    if !options.isQuiet, case .file = destination {
      try console.result("\(manifest.fileID)  \(SafeText.escape(path))\n")
    }
    return hashed.wholeFile
  }

  private static func encode(
    _ hashed: HashedFile, path: String, sources: [ManifestMetadata.Source], frameEnds: [UInt64]?
  ) throws(Failure) -> ManifestEncoder {
    let name = path.split(separator: "/").last.map(String.init).flatMap { ManifestMetadata.isFileName($0) ? $0 : nil }
    do throws(ManifestError) {
      return try ManifestEncoder(
        geometry: hashed.geometry, chunkIDs: hashed.chunkIDs,
        metadata: ManifestMetadata(name: name, sha256: hashed.wholeFile, sources: sources),
        weakHashes: hashed.weakHashes, frameEnds: frameEnds)
    } catch {
      throw Failure(error, path: path)
    }
  }
}

extension ManifestEncoder {
  /// What is signed: the BLAKE2b digest, of 64 bytes, of the file it makes.
  fileprivate var hash: [UInt8] {
    var stream = BLAKE2b(.bytes64)
    write { stream.update($0) }
    return stream.finalize()
  }
}

/// Where a manifest goes. Looked at before the file is read, so that what cannot be written to is known at once.
private enum Destination {
  case standardOutput
  case file(OutputPath)

  /// Refuses the file described itself, under whatever name: it would be lost.
  init(_ path: String, describing file: String) throws(Failure) {
    if path == "-" {
      self = .standardOutput
      return
    }
    let output: OutputPath
    do throws(StoreError) {
      output = try OutputPath(path)
    } catch {
      throw Failure(error)
    }
    if let existing = output.existing, let described = try? FileSystem().status(file),
      existing.identity == described.identity
    {
      throw Failure(.usage, "\(SafeText.escape(path)): the manifest would take the place of the file it describes")
    }
    self = .file(output)
  }

  func write(_ manifest: ManifestEncoder) throws(Failure) {
    switch self {
    case .standardOutput:
      do throws(Errno) {
        try manifest.write { (piece) throws(Errno) in try StandardStream.output.write(piece) }
      } catch {
        throw .output(error)
      }
    case .file(let output):
      do throws(StoreError) {
        try ManifestFile.write(manifest, to: output)
      } catch {
        throw Failure(error)
      }
    }
  }
}
