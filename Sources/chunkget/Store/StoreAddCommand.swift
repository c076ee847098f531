internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkget store add`: puts files that are here into the store.
enum StoreAddCommand: StoreSubcommand {
  static let name = "add"
  static let summary = "put the chunks of files, and their manifests, into the store"
  static let usage = "[options] FILE…"
  static let exitStatuses: [ExitStatus] = [.notTrusted, .sourceChanged, .locked]
  static let notes = [
    "The manifest is FILE.chunks where there is one, which FILE has to agree with; else one is made. Prints the file IDs."
  ]

  static let flags: [Flag<StoreOptions>] = [
    .toggle("compress", group: StoreOptions.group, help: "keep chunks compressed where that saves 5 %") {
      $0.compresses = true
    }
  ]

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    guard !work.operands.isEmpty else { throw StoreFailure(.usage, "needs a file") }
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open(isMade: true)
      for path in work.operands {
        let id = try add(path, to: store)
        // What is said to be stored is on the medium.
        try StoreFailure.wrap { () throws(StoreError) in try store.sync() }
        try work.line("\(id)  \(SafeText.escape(path))")
      }
      return .success
    }
  }

  private static func add(_ path: String, to store: FileStore) throws(StoreFailure) -> FileID {
    let source = try ManifestSource(of: path)
    return try StoreFailure.wrap { () throws(StoreError) in
      let result = try store.add(try OpenFile(reading: path), source.id) { sink throws(StoreError) in
        try source.write(sink)
      }
      guard result.wrongCount == 0 else {
        throw StoreError(
          .changed, "the file changed while it was read; what is in the store is right, and not all of it", path: path)
      }
      return source.id
    }
  }
}

/// The manifest of a file that is here: the one beside it, or one that is made.
private struct ManifestSource: Sendable {
  let id: FileID
  let write: @Sendable (_ sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) -> Void

  /// Hashes the file, on all processors.
  init(of path: String) throws(StoreFailure) {
    let beside = "\(path).chunks"
    do throws(Errno) {
      _ = try FileSystem().status(beside)
    } catch .noSuchFile {
      let encoder = try Self.encoder(of: path)
      id = encoder.fileID
      write = { sink throws(StoreError) in try encoder.write(to: sink) }
      return
    } catch {
      throw StoreFailure(StoreError(error, "cannot look at it", path: beside))
    }
    let (stored, verification) = try StoreFailure.wrap { () throws(StoreError) in
      let stored = try StoredManifest(OpenFile(reading: beside), path: beside)
      try stored.verify()
      let verification = try FileVerifier().verify(
        path, geometry: stored.manifest.geometry, ids: { group in (try? stored.page(group: group).ids) ?? [] }
      ) { _ in }
      return (stored, verification)
    }
    guard verification.isRight else {
      throw StoreFailure(.notTrusted, "\(SafeText.escape(path)): is not what \(SafeText.escape(beside)) says")
    }
    id = stored.manifest.fileID
    write = { sink throws(StoreError) in try stored.write(to: sink) }
  }

  private static func encoder(of path: String) throws(StoreFailure) -> ManifestEncoder {
    let hashed = try StoreFailure.wrap { () throws(StoreError) in try ManifestBuilder().hash(path) }
    do throws(ManifestError) {
      let name = path.split(separator: "/").last.map(String.init).flatMap { ManifestMetadata.isFileName($0) ? $0 : nil }
      return try ManifestEncoder(
        geometry: hashed.geometry, chunkIDs: hashed.chunkIDs, metadata: ManifestMetadata(name: name))
    } catch {
      throw StoreFailure(.failure, "\(SafeText.escape(path)): \(SafeText.escape(error.message))")
    }
  }
}

extension OpenFile {
  fileprivate convenience init(reading path: String) throws(StoreError) {
    do throws(Errno) {
      self.init(try FileSystem().open(path, OpenMode(.read, waits: false)))
    } catch {
      throw StoreError(error, "cannot open", path: path)
    }
  }
}
