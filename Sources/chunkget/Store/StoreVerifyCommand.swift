internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// `chunkget store verify`: hashes everything.
enum StoreVerifyCommand: StoreSubcommand {
  static let name = "verify"
  static let summary = "hash everything in the store, and list what is wrong or missing"
  static let usage = "[options]"
  static let exitStatuses: [ExitStatus] = [.notTrusted]
  static let notes = ["The exit code is 3 when something is wrong or missing. Nothing is changed; repair does that."]

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    try work.expectNoOperands()
    return try await work.block { () throws(StoreFailure) in
      let state = try StoreState(of: try work.open())
      for file in state.wrong { try work.line("wrong    \(file.id)\(file.form.rawValue)") }
      for damaged in state.damaged { try work.line("damaged  \(SafeText.escape("\(damaged.error)"))") }
      for shortage in state.shortages {
        let bytes = ByteSize(bytes: shortage.bytes)
        try work.line("missing  \(shortage.chunks.count) chunks (\(bytes)) of \(shortage.file)")
      }
      try work.line(
        state.isRight
          ? "\(state.fileCount) chunks are right"
          : "\(state.fileCount) chunks, \(state.wrong.count) of them wrong; \(state.shortages.count) files are not complete"
      )
      return state.isRight ? .success : .notTrusted
    }
  }
}

/// All that is wrong with a store.
struct StoreState: Sendable {
  let fileCount: Int
  /// In the order of their names.
  let wrong: [StoreAudit.WrongFile]
  /// Manifests that are not what their names say.
  let damaged: [(id: FileID, error: StoreError)]
  /// The files that are not complete.
  let shortages: [StoreAudit.Shortage]

  var isRight: Bool { wrong.isEmpty && damaged.isEmpty && shortages.isEmpty }

  /// Hashes everything on all processors.
  init(of store: FileStore) throws(StoreFailure) {
    let audit = StoreAudit(of: store)
    let chunks = try StoreFailure.wrap { () throws(StoreError) in try audit.chunks { _ in } }
    var damaged: [(id: FileID, error: StoreError)] = []
    var shortages: [StoreAudit.Shortage] = []
    for id in try StoreFailure.wrap({ () throws(StoreError) in try store.manifestIDs() }) {
      do throws(StoreError) {
        guard let stored = try store.manifest(id) else { continue }
        let shortage = try audit.shortage(of: stored, wrong: chunks.wrong)
        if !shortage.chunks.isEmpty { shortages.append(shortage) }
      } catch {
        guard error.code == .damaged else { throw StoreFailure(error) }
        damaged.append((id, error))
      }
    }
    fileCount = chunks.fileCount
    wrong = chunks.wrong.sorted { ($0.id.digest, $0.form.rawValue) < ($1.id.digest, $1.form.rawValue) }
    self.damaged = damaged
    self.shortages = shortages
  }
}
