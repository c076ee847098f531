internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkget store export`: writes a file from the store alone.
enum StoreExportCommand: StoreSubcommand {
  static let name = "export"
  static let summary = "write a file from the store alone, without a network"
  static let usage = "[options] ID -o FILE"
  static let exitStatuses: [ExitStatus] = [.notTrusted, .wrongBytes, .locked]
  static let notes = ["The exit code is 6 when the store does not have all of it, right; FILE is as it was then."]

  static let flags: [Flag<StoreOptions>] = [
    .value("output", short: "o", named: "FILE", group: StoreOptions.group, help: "write to FILE") {
      (options, text) throws(UsageError) in options.output = text
    }
  ]

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    let ids = try work.ids()
    guard ids.count == 1, let path = work.options.output else {
      throw StoreFailure(.usage, "needs one file ID, and -o FILE")
    }
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open()
      do throws(StoreError) {
        let lease = try leaseIfWritable(ids, in: store)
        defer { extendLifetime(lease) }
        guard let stored = try store.manifest(ids[0]) else {
          throw StoreError(.missing, "the store does not have \(ids[0])", path: store.path)
        }
        try StoreExport(of: stored, from: store).write(to: OutputPath(path))
        return .success
      } catch {
        guard error.code == .missing, error.path == store.path else { throw StoreFailure(error) }
        throw StoreFailure(.wrongBytes, SafeText.escape("\(error)"))
      }
    }
  }

  /// A store that can only be read is nobody's to prune.
  private static func leaseIfWritable(_ ids: [FileID], in store: FileStore) throws(StoreError) -> StoreLease? {
    do throws(StoreError) {
      return try store.lease(ids)
    } catch {
      guard error.code == .readOnly || error.code == .noPermission else { throw error }
      return nil
    }
  }
}
