internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkmanifest diff`: what a download would take, before anybody does it.
enum DiffCommand: Subcommand {
  struct Options: Sendable {
    var writesJSON = false
    var isQuiet = false
  }

  static let name = "diff"
  static let summary = "tell what a download would take of somebody who has another file"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] HAVE WANT"],
      flags: [
        .toggle("json", group: "Options", help: "write one line of JSON") { $0.writesJSON = true },
        .toggle("quiet", short: "q", group: "Options", help: "show no progress") { $0.isQuiet = true },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "HAVE is a file, its manifest if that has the same chunk size, or the directory of a store; WANT is a manifest. Counts the "
          + "chunks of WANT that HAVE has at the same place and at others, those of zeros, and those that would be fetched; chunks "
          + "that lie at no multiple of the chunk size are counted among these. Where WANT tells of a pack, what has to be fetched is "
          + "told as its frames too, or plain where that is less. A store is believed the names of its chunks."
      ],
      exitStatuses: [.success, .failure, .usage, .notTrusted, .disk, .interrupted, .terminated])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard operands.count == 2 else { throw UsageError("needs a file, manifest or store, and a manifest") }
    do throws(Failure) {
      let wanted = try StoredManifest(operands[1])
      let held = try held(operands[0], for: wanted.manifest, options, console)
      let difference = Difference(of: wanted, from: held)
      try console.result(options.writesJSON ? "\(difference.json.text)\n" : difference.text)
      return .success
    } catch {
      console.tell(error.message)
      return error.status
    }
  }

  private static func held(
    _ path: String, for wanted: Manifest, _ options: Options, _ console: Console
  ) throws(Failure) -> HeldChunks {
    if isDirectory(path) { return try HeldChunks(storeAt: path) }
    if try isManifest(path) { return try HeldChunks(StoredManifest(path), for: wanted, path: path) }
    let session = try HashingSession(on: console, isQuiet: options.isQuiet)
    return try session.run(on: path) { progress throws(StoreError) in
      try HeldChunks(fileAt: path, for: wanted, progress: progress)
    }
  }

  private static func isDirectory(_ path: String) -> Bool {
    do throws(Errno) { return try FileSystem().status(path).kind == .directory } catch { return false }
  }

  private static func isManifest(_ path: String) throws(Failure) -> Bool {
    let input: InputFile
    do throws(StoreError) { input = try InputFile(path) } catch { throw Failure(error) }
    var beginning = [UInt8](repeating: 0, count: 8)
    var span = beginning.mutableSpan
    do throws(Errno) {
      _ = try input.file.descriptor.pread(into: &span, at: 0)
    } catch {
      throw Failure(error, path: path)
    }
    return UnverifiedManifest.hasMagic(beginning.span)
  }
}
