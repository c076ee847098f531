package import ChunkCore
internal import ChunkSystem

extension FileStore {
  /// Where the manifest of a file lies, with the directory.
  package func manifestPath(_ id: FileID) -> String { "\(path)/\(StoreLayout.manifest(id))" }

  /// The manifest of a file; `nil` when the store has none.
  ///
  /// - Throws: ``StoreError/Code/damaged`` when what it has is not the manifest of this file.
  package func manifest(_ id: FileID) throws(StoreError) -> StoredManifest? {
    let file = try StoreError.wrap("cannot open the manifest", path: manifestPath(id)) { () throws(Errno) in
      try root.directory.openIfThere(StoreLayout.manifest(id))
    }
    return try file.map { file throws(StoreError) in
      try StoredManifest(file, path: manifestPath(id), expecting: id)
    }
  }

  /// Keeps a manifest, durably (S5). Whoever does so has a lease for it.
  ///
  /// - Parameters:
  ///   - id: The file.
  ///   - content: Calls the sink it gets with one piece after the other.
  /// - Throws: ``StoreError/Code/damaged`` when that is not the manifest of this file.
  package func putManifest(
    _ id: FileID, content: (_ sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) {
    let path = manifestPath(id)
    let temporary = try StoreError.wrap("cannot keep the manifest", path: path) { () throws(Errno) in
      try makeTemporary(permissions: 0o444)
    }
    do throws(StoreError) {
      var offset: UInt64 = 0
      try content { bytes throws(StoreError) in
        do throws(Errno) {
          try temporary.file.descriptor.pwrite(bytes, at: offset)
        } catch {
          throw StoreError(error, "cannot keep the manifest", path: path)
        }
        offset += UInt64(bytes.count)
      }
      try StoredManifest(temporary.file, path: path, expecting: id).verify()
      try StoreError.wrap("cannot keep the manifest", path: path) { () throws(Errno) in
        try temporary.file.descriptor.sync()
        try root.directory.rename(temporary.name, to: StoreLayout.manifest(id))
        try syncFolder(of: StoreLayout.manifest(id))
      }
    } catch {
      discard(temporary)
      throw error
    }
  }

  /// The files whose manifests the store has, in the order of their IDs.
  package func manifestIDs() throws(StoreError) -> [FileID] {
    try names(of: StoreLayout.manifests, StoreLayout.fileID(ofManifest:))
  }

  /// The time of the last change of a manifest says when it was last used. It only decides what goes first when room is
  /// wanted, so a failure is none.
  func markUsed(_ id: FileID) {
    do throws(Errno) { try root.directory.touch(StoreLayout.manifest(id)) } catch {}
  }

  // MARK: Pins

  /// The files that are kept whatever a prune is told.
  package func pinnedIDs() throws(StoreError) -> [FileID] {
    try names(of: StoreLayout.pins, StoreLayout.fileID(named:))
  }

  /// Keeps a file whatever a prune is told; a second time changes nothing. Durable.
  package func pin(_ id: FileID) throws(StoreError) {
    try StoreError.wrap("cannot pin", path: "\(path)/\(StoreLayout.pin(id))") { () throws(Errno) in
      let nothing: [UInt8] = []
      try publish(StoreLayout.pin(id), nothing.span, isDurable: true)
    }
  }

  /// - Returns: Whether it was pinned.
  package func unpin(_ id: FileID) throws(StoreError) -> Bool {
    try StoreError.wrap("cannot unpin", path: "\(path)/\(StoreLayout.pin(id))") { () throws(Errno) in
      guard try root.directory.remove(StoreLayout.pin(id)) else { return false }
      try syncFolder(of: StoreLayout.pin(id))
      return true
    }
  }

  private func names(of folder: String, _ parse: (String) -> FileID?) throws(StoreError) -> [FileID] {
    try StoreError.wrap("cannot list", path: "\(path)/\(folder)") { () throws(Errno) in
      try root.directory.names(in: folder).compactMap(parse).sorted { $0.digest < $1.digest }
    }
  }
}
