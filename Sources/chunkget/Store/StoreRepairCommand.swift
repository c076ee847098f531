internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// `chunkget store repair`: fetches what is wrong or missing.
enum StoreRepairCommand: StoreSubcommand {
  static let name = "repair"
  static let summary = "fetch what files in the store want and do not have, or not right"
  static let usage = "[options] [ID…]"
  static let exitStatuses: [ExitStatus] = [.notTrusted, .unreachable, .sourceChanged, .wrongBytes, .locked]
  static let notes = [
    "Chunks come from the http and https URLs that manifests name in full, or from that of --from, which is the file's own. "
      + "With IDs only these files are looked at."
  ]

  static let flags: [Flag<StoreOptions>] = [
    .value("from", named: "URL", group: StoreOptions.group, help: "the file is there; a damaged manifest at URL.chunks")
    {
      (options, text) throws(UsageError) in options.from = text
    }
  ]

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    let wanted = work.operands.isEmpty ? nil : Set(try work.ids())
    let store = try work.open()
    let state = try await work.block { () throws(StoreFailure) in try StoreState(of: store) }
    var worst = ExitStatus.success
    for id in state.shortages.map(\.file) + state.damaged.map(\.id) where wanted?.contains(id) ?? true {
      do throws(StoreFailure) {
        try await repair(id, in: store, work)
      } catch {
        work.console.tell("\(id): \(error.message)")
        if worst == .success { worst = error.status }
      }
    }
    // A wrong form beside a right one is of no use to anybody.
    let removed = try await work.block { () throws(StoreFailure) in
      try StoreFailure.wrap { () throws(StoreError) in try StoreAudit(of: store).removeSuperfluous(state.wrong) }
    }
    for file in removed { try work.line("removed  \(file.id)\(file.form.rawValue)") }
    return worst
  }

  private static func repair(_ id: FileID, in store: FileStore, _ work: StoreWork) async throws(StoreFailure) {
    let notices = Lock<[String]>([])
    let report: TransferReport
    do throws(TransferError) {
      var options = TransferOptions()
      options.store = store.path
      options.fileID = id
      options.onNotice = { notice in notices.withLock { $0.append(notice) } }
      let sources = try sources(of: id, in: store, work, &options)
      options.mirrors = Array(sources.dropFirst())
      report = try await Download(intoStoreFrom: sources[0], options: options).run()
    } catch {
      throw StoreFailure(error)
    }
    for notice in notices.withLock({ $0 }) { work.console.tell(SafeText.escape(notice)) }
    guard report.storedBytes != nil else { throw StoreFailure(.disk, "not everything could be put in the store") }
    try work.line("repaired \(id)  \(ByteSize(bytes: report.fetchedBytes))")
  }

  /// Where the file is; at least one place.
  private static func sources(
    of id: FileID, in store: FileStore, _ work: StoreWork, _ options: inout TransferOptions
  ) throws(TransferError) -> [String] {
    var sources = work.options.from.map { [$0] } ?? []
    do throws(StoreError) {
      if let stored = try store.manifest(id) {
        options.manifest = .at(stored.path)
        sources += (stored.manifest.metadata?.sources ?? []).filter { $0.kind == .file }.map(\.url).filter { url in
          url.hasPrefix("https://") || url.hasPrefix("http://")
        }
      }
    } catch {
      // A damaged one is fetched again, from beside the file.
      guard error.code == .damaged else { throw TransferError(error) }
    }
    guard !sources.isEmpty else {
      throw TransferError(.unreachable, "its manifest names no place to fetch from; give one with --from URL.")
    }
    return sources
  }
}
