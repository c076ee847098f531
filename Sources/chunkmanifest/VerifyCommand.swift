internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport
internal import Synchronization

/// `chunkmanifest verify`: which chunks of a file are not what its manifest says.
enum VerifyCommand: Subcommand {
  struct Options: Sendable {
    var manifest: String?
    var pinned: FileID?
    var pack: String?
    var writesJSON = false
    var isQuiet = false
  }

  static let name = "verify"
  static let summary = "compare a file with its manifest, chunk by chunk"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] FILE"],
      flags: [
        .value(
          "manifest", short: "m", named: "M", group: "Options", help: "use this manifest; FILE.chunks if not given"
        ) {
          (options, text) throws(UsageError) in options.manifest = text
        },
        .value("id", named: "ID", group: "Options", help: "accept only the manifest with this file ID") {
          (options, text) throws(UsageError) in
          guard let id = FileID(text) else { throw UsageError("not a file ID: chunks1- and 64 hexadecimal digits") }
          options.pinned = id
        },
        .value(
          "pack", named: "PACK", group: "Options",
          help: "look at this pack too; FILE.zst if not given, where that is there and the manifest tells of a pack"
        ) {
          (options, text) throws(UsageError) in options.pack = text
        },
        .toggle("json", group: "Options", help: "write JSON, one object a line") { $0.writesJSON = true },
        .toggle("quiet", short: "q", group: "Options", help: "write nothing but errors") { $0.isQuiet = true },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "Lists each bad chunk on standard output: index, first and last byte, the chunk ID it should have, and what was found. Of a "
          + "pack every frame is unpacked, and listed where it is not its chunk's: index, first and last byte in the pack; then the "
          + "seek table is compared. The exit code is 3 when something is wrong."
      ],
      exitStatuses: [
        .success, .failure, .usage, .notTrusted, .sourceChanged, .disk, .interrupted, .terminated,
      ])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard operands.count == 1 else { throw UsageError("needs one file") }
    let path = operands[0]
    do throws(Failure) {
      let session = try HashingSession(on: console, isQuiet: options.isQuiet)
      let stored = try StoredManifest(options.manifest ?? "\(path).chunks", expecting: options.pinned)
      let listing = VerificationListing(asJSON: options.writesJSON, isQuiet: options.isQuiet, console)
      let verification = try session.run(on: path) { progress throws(StoreError) in
        try FileVerifier().verify(
          path, geometry: stored.manifest.geometry, ids: { stored.ids(ofGroup: $0) }, progress: progress
        ) { listing.add($0, orStop: progress) }
      }
      try listing.finish(verification, of: path, stored.manifest)
      let isPackRight = try verifyPack(of: path, options, stored, listing, session)
      return verification.isRight && isPackRight ? .success : .notTrusted
    } catch {
      console.tell(error.message)
      return error.status
    }
  }

  /// - Returns: Whether the pack is right, or there is none to look at.
  private static func verifyPack(
    of path: String, _ options: Options, _ stored: StoredManifest, _ listing: VerificationListing,
    _ session: HashingSession
  ) throws(Failure) -> Bool {
    let manifest = options.manifest ?? "\(path).chunks"
    let frames: [PackedFrames]?
    do throws(ManifestError) { frames = try stored.packedFrames() } catch { throw Failure(error, path: manifest) }
    guard let frames else {
      guard options.pack == nil else {
        throw Failure(.notTrusted, "\(SafeText.escape(manifest)): tells of no pack; build --pack makes one that does")
      }
      return true
    }
    let pack = options.pack ?? "\(path).zst"
    if options.pack == nil, (try? FileSystem().status(pack)) == nil { return true }
    let verification = try session.run(on: pack) { progress throws(StoreError) in
      try PackVerifier().verify(
        pack, geometry: stored.manifest.geometry, frames: frames, ids: { stored.ids(ofGroup: $0) }, progress: progress
      ) { listing.add($0, orStop: progress) }
    }
    try listing.finish(verification, of: pack, stored.manifest)
    return verification.isRight
  }
}
