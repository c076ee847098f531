internal import ChunkStore
internal import CommandSupport

/// `chunkget store pin`: keeps files whatever a prune is told.
enum StorePinCommand: StoreSubcommand {
  static let name = "pin"
  static let summary = "keep files whatever prune is told"
  static let usage = "[options] ID…"

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    let ids = try work.ids()
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open()
      for id in ids { try StoreFailure.wrap { () throws(StoreError) in try store.pin(id) } }
      // After they were pinned: what a prune took before is told to be missing.
      let present = Set(try StoreFailure.wrap { () throws(StoreError) in try store.manifestIDs() })
      for id in ids where !present.contains(id) {
        work.console.tell("\(id) is not in the store yet; it will be kept once it is")
      }
      return .success
    }
  }
}

/// `chunkget store unpin`: lets a prune have them.
enum StoreUnpinCommand: StoreSubcommand {
  static let name = "unpin"
  static let summary = "no longer keep files whatever prune is told"
  static let usage = "[options] ID…"

  static func run(_ work: StoreWork) async throws(StoreFailure) -> ExitStatus {
    let ids = try work.ids()
    return try await work.block { () throws(StoreFailure) in
      let store = try work.open()
      for id in ids {
        let wasPinned = try StoreFailure.wrap { () throws(StoreError) in try store.unpin(id) }
        if !wasPinned { work.console.tell("\(id) was not pinned") }
      }
      return .success
    }
  }
}
