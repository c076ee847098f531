internal import ChunkSystem

/// A file in `tmp` that is locked by this process as long as it is held, and whose name nobody else has.
struct StoreTemporary: Sendable {
  let name: String
  let file: OpenFile
}

extension FileStore {
  /// Gives a file its content, so that it has the old one or the new one at every moment (S3).
  ///
  /// - Parameters:
  ///   - name: Relative to the store. What has it is replaced.
  ///   - bytes: The content.
  ///   - isDurable: Whether the content is on the medium before the name, and the name when this returns.
  /// - Throws: ``Errno``; the name has what it had before, unless all that failed was to make the new one durable.
  func publish(_ name: String, _ bytes: Span<UInt8>, isDurable: Bool = false) throws(Errno) {
    let temporary = try makeTemporary(permissions: name == StoreLayout.format ? 0o666 : 0o444)
    do throws(Errno) {
      try temporary.file.descriptor.pwrite(bytes, at: 0)
      if isDurable { try temporary.file.descriptor.sync() }
      try root.directory.rename(temporary.name, to: name)
    } catch {
      discard(temporary)
      throw error
    }
    if isDurable { try syncFolder(of: name) }
  }

  /// A new file in `tmp`, locked.
  func makeTemporary(permissions: FilePermissions) throws(Errno) -> StoreTemporary {
    // Each turn is one that a prune won, so there are few.
    for _ in 0..<100 {
      let name = "\(StoreLayout.temporary)/\(StoreLayout.newName())"
      let file = OpenFile(try root.directory.open(name, OpenMode(.readWrite, creation: .always(permissions))))
      let temporary = StoreTemporary(name: name, file: file)
      do throws(Errno) {
        // Between the two a prune may have taken it for one whose writer is gone (S9).
        guard try file.descriptor.tryLock(.exclusive), try file.descriptor.status().linkCount > 0 else { continue }
        if manner.isPublic { try file.descriptor.setPermissions(0o644) }
        return temporary
      } catch {
        discard(temporary)
        throw error
      }
    }
    throw .wouldBlock
  }

  /// Removes what was not published. If that fails a prune will.
  func discard(_ temporary: StoreTemporary) {
    do throws(Errno) { try root.directory.remove(temporary.name) } catch {}
  }

  /// Makes names in the folder durable that were given or taken.
  func syncFolder(of name: String) throws(Errno) {
    guard let slash = name.lastIndex(of: "/") else { return try root.directory.sync() }
    try root.directory.openDirectory(String(name[..<slash])).sync()
  }
}
