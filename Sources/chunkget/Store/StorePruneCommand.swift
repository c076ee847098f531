internal import ChunkStore
internal import CommandSupport

/// `chunkget store prune`: removes what nobody wants.
enum StorePruneCommand: StoreSubcommand {
  static let name = "prune"
  static let summary = "remove chunks that no file wants, and files where room is wanted"
  static let usage = "[options]"
  static let exitStatuses: [ExitStatus] = [.notTrusted, .locked]
  static let notes = [
    "Files that are pinned stay, and those that a running download uses. A manifest that does not verify (exit code 3) ends it "
      + "before anything is removed: repair it, or remove that file."
  ]

  static let flags: [Flag<StoreOptions>] = [
    .value(
      "max-size", named: "SIZE", group: StoreOptions.group,
      help: "give up files, longest unused first, until chunks and manifests have at most SIZE"
    ) {
      (options, text) throws(UsageError) in options.maximumSize = try FlagValue.size(text).bytes
    },
    .toggle("dry-run", group: StoreOptions.group, help: "remove nothing, and tell what would be") {
      $0.isDryRun = true
    },
  ]

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    try work.expectNoOperands()
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open()
      let report = try StoreFailure.wrap { () throws(StoreError) in
        var sweep = StoreSweep(of: store, maximumSize: work.options.maximumSize, isDryRun: work.options.isDryRun)
        return try sweep.run()
      }
      let verb = work.options.isDryRun ? "would remove" : "removed"
      for id in report.manifests { try work.line("\(verb) \(id)") }
      try work.line(
        "\(verb) \(report.manifests.count) files and \(report.chunkCount) chunks, \(ByteSize(bytes: report.byteCount)); "
          + "\(ByteSize(bytes: report.keptByteCount)) of what files want \(work.options.isDryRun ? "would stay" : "stays")"
      )
      return .success
    }
  }
}
