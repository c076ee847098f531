internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkmanifest export-store`: files as a store, an object a chunk, for static hosting.
enum ExportStoreCommand: Subcommand {
  struct Options: Sendable {
    var compresses = false
    var isQuiet = false
  }

  static let name = "export-store"
  static let summary = "write the chunks of files into a directory, for static hosting"
  static let defaults = Options()

  static var table: FlagTable<Options> {
    FlagTable(
      name: commandName, summary: summary, usage: ["[options] FILE… DIR"],
      flags: [
        .toggle(
          "compress", group: "Options",
          help: "write chunks as zstd too, with names that end in .zst, where that saves 5 %"
        ) { $0.compresses = true },
        .toggle("quiet", short: "q", group: "Options", help: "show no progress and no file IDs") { $0.isQuiet = true },
      ] + CommonFlags.stops(group: "Options"),
      notes: [
        "Each FILE has to be what FILE.chunks says. DIR, which is made if it is not there, gets its chunks under chunks/, named by their "
          + "SHA-256, and its manifest under manifests/; zeros are left out. Files share what they have in common, and what is there "
          + "already is looked at and kept; DIR is a store for chunkget --store too, and chunkget store prunes it. Tell of it with "
          + "build --source-store URL."
      ],
      exitStatuses: [
        .success, .failure, .usage, .notTrusted, .sourceChanged, .disk, .locked, .interrupted, .terminated,
      ])
  }

  static func run(_ options: Options, _ operands: [String], _ console: Console) throws(UsageError) -> ExitStatus {
    guard let directory = operands.last, operands.count > 1 else { throw UsageError("needs files and a directory") }
    do throws(Failure) {
      let session = try HashingSession(on: console, isQuiet: options.isQuiet)
      // Before the directory is touched, which may be mistyped.
      let files = try operands.dropLast().map { path throws(Failure) in try DescribedFile(path) }
      let store = try Failure.check { () throws(StoreError) in
        try FileStore.openForServing(directory, compresses: options.compresses)
      }
      for file in files {
        let id = try file.export(to: store, session)
        // What is said to be there is on the medium.
        try Failure.check { () throws(StoreError) in try store.sync() }
        if !options.isQuiet { try console.result("\(id)  \(SafeText.escape(file.path))\n") }
      }
      return .success
    } catch {
      console.tell(error.message)
      return error.status
    }
  }
}

/// A file with the manifest beside it.
private struct DescribedFile {
  let path: String
  private let input: InputFile
  private let stored: ChunkStore.StoredManifest

  init(_ path: String) throws(Failure) {
    self.path = path
    let beside = "\(path).chunks"
    do throws(StoreError) {
      input = try InputFile(path)
      let manifest = try Self.manifest(beside)
      stored = try ChunkStore.StoredManifest(manifest.file, path: beside)
    } catch {
      throw Failure(error)
    }
  }

  private static func manifest(_ path: String) throws(StoreError) -> InputFile {
    do throws(StoreError) {
      return try InputFile(path)
    } catch {
      guard error.code == .missing else { throw error }
      throw StoreError(.missing, "there is no manifest; chunkmanifest build makes it", path: path)
    }
  }

  func export(to store: FileStore, _ session: HashingSession) throws(Failure) -> FileID {
    let report = try session.run(on: path) { progress throws(StoreError) in
      try store.add(input.file, stored.manifest.fileID, progress: progress) { sink throws(StoreError) in
        try stored.write(to: sink)
      }
    }
    guard report.wrongCount == 0, input.status.size == stored.manifest.geometry.fileLength else {
      throw Failure(
        .notTrusted,
        "\(SafeText.escape(path)): is not what \(SafeText.escape(stored.path)) says; chunkmanifest build describes it anew"
      )
    }
    return stored.manifest.fileID
  }
}

extension Failure {
  fileprivate static func check<Result>(_ body: () throws(StoreError) -> Result) throws(Failure) -> Result {
    do throws(StoreError) { return try body() } catch { throw Failure(error) }
  }
}
