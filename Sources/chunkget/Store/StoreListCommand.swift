internal import ChunkCore
internal import ChunkStore
internal import CommandSupport

/// `chunkget store list`: the files of which the store has the manifest.
enum StoreListCommand: StoreSubcommand {
  static let name = "list"
  static let summary = "list the files in the store: ID, length, what is missing, name"
  static let usage = "[options]"
  static let notes = ["What is missing is found by name; only verify looks at the bytes."]

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    try work.expectNoOperands()
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open()
      let pinned = Set(try StoreFailure.wrap { () throws(StoreError) in try store.pinnedIDs() })
      for id in try StoreFailure.wrap({ () throws(StoreError) in try store.manifestIDs() }) {
        try work.line(
          "\(id)  \(try facts(of: id, in: store).joined(separator: "  "))\(pinned.contains(id) ? "  pinned" : "")")
      }
      return .success
    }
  }

  private static func facts(of id: FileID, in store: FileStore) throws(StoreFailure) -> [String] {
    do throws(StoreError) {
      guard let stored = try store.manifest(id) else { return ["just removed"] }
      let shortage = try StoreAudit(of: store).shortage(of: stored, wrong: [])
      let missing = shortage.chunks.isEmpty ? "complete" : "\(ByteSize(bytes: shortage.bytes)) missing"
      let name = stored.manifest.metadata?.name.map { [SafeText.escape($0)] } ?? []
      return ["\(ByteSize(bytes: stored.manifest.geometry.fileLength))", missing] + name
    } catch {
      guard error.code == .damaged else { throw StoreFailure(error) }
      return ["damaged"]
    }
  }
}

/// `chunkget store stat`: how much there is.
enum StoreStatCommand: StoreSubcommand {
  static let name = "stat"
  static let summary = "tell how much is in the store"
  static let usage = "[options]"

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    try work.expectNoOperands()
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open()
      let contents = try StoreFailure.wrap { () throws(StoreError) in try store.contents() }
      let bytes = ByteSize(bytes: contents.chunkBytes)
      try work.line("chunks     \(contents.chunkFileCount), \(bytes), \(contents.compressedCount) of them compressed")
      try work.line(
        "files      \(contents.manifestCount), \(ByteSize(bytes: contents.fileBytes)), \(contents.pinCount) pinned")
      try work.line("unfinished \(contents.temporaryCount)")
      return .success
    }
  }
}
