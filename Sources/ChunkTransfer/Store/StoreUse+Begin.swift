internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

extension StoreUse {
  /// Opens the store that the options name, says what will be wanted of it, and keeps the manifest there.
  ///
  /// - Returns: nil when there is none, or none that can be used.
  /// - Throws: When the options name something that is no store; and when it was cancelled.
  static func begin(
    _ located: LocatedManifest, options: TransferOptions, fetch: SmallFetch
  ) throws(TransferError) -> StoreUse? {
    guard let path = options.store else { return nil }
    let id = located.manifest.fileID
    do throws(StoreError) {
      let files = try FileStore.open(path, isMade: true, compresses: options.compressesStore)
      let lease = try self.lease(of: id, in: files, options, isStopped: fetch.isCancelled)
      let manifest = try kept(located, in: files, isWritten: lease != nil, options, fetch)
      return StoreUse(
        files, lease: lease, manifest: manifest, geometry: located.manifest.geometry, onNotice: options.onNotice)
    } catch {
      switch error.code {
      case .notUsable, .missing, .cancelled: throw TransferError(error)
      default: options.onNotice?("the store is not used: \(error)")
      }
      return nil
    }
  }

  /// Where the store has the manifest of the file that is pinned; nil when it has none, or nothing is pinned.
  static func keptManifest(_ options: TransferOptions) -> String? {
    guard let path = options.store, let id = options.fileID, options.manifest == .discover, options.publicKey == nil
    else {
      return nil
    }
    do throws(StoreError) {
      return try FileStore.open(path).manifest(id)?.path
    } catch {
      return nil
    }
  }

  /// - Returns: nil when the store can only be read.
  private static func lease(
    of id: FileID, in files: FileStore, _ options: TransferOptions, isStopped: () -> Bool
  ) throws(StoreError) -> StoreLease? {
    do throws(StoreError) {
      return try files.lease([id], isStopped: isStopped)
    } catch {
      guard [.readOnly, .noPermission, .diskFull].contains(error.code) else { throw error }
      options.onNotice?("the store is only read: \(error)")
      return nil
    }
  }

  /// The manifest as the store has it, put there if need be.
  private static func kept(
    _ located: LocatedManifest, in files: FileStore, isWritten: Bool, _ options: TransferOptions, _ fetch: SmallFetch
  ) throws(StoreError) -> StoredManifest? {
    let id = located.manifest.fileID
    // One that is damaged is replaced like any chunk.
    let present = Result { () throws(StoreError) in
      let manifest = try files.manifest(id)
      try manifest?.verify()
      return manifest
    }
    if case .success(let manifest?) = present { return manifest }
    guard isWritten else { return nil }
    do throws(StoreError) {
      try files.putManifest(id) { sink throws(StoreError) in
        try WholeManifest(located: located, fetch: fetch).write(to: sink)
      }
      return try files.manifest(id)
    } catch {
      if error.code == .cancelled { throw error }
      options.onNotice?("nothing is put in the store, as the manifest cannot be: \(error)")
      return nil
    }
  }
}
