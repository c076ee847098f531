package import ChunkCore
internal import ChunkSystem

/// What a running process will want of a store. No prune removes any of it as long as this lives, also when the process is
/// killed in the very moment in which it begins to rely on it: the lease was there before, and its lock ends with the process.
package final class StoreLease: Sendable {
  private let store: FileStore
  private let name: String
  private let file: OpenFile

  init(store: FileStore, name: String, file: OpenFile) {
    self.store = store
    self.name = name
    self.file = file
  }

  deinit {
    // What stays is unlocked, and removed by a prune.
    do throws(Errno) { try store.root.directory.remove(name) } catch {}
  }
}

extension FileStore {
  /// How long a prune is waited for: it sweeps for seconds.
  package static let patience = Duration.seconds(60)

  /// Says that all chunks of these files are wanted, until the lease goes. Nothing counts as being in the store that was looked for
  /// before (S6).
  ///
  /// - Throws: ``StoreError``, with ``StoreError/Code/locked`` when a prune took too long.
  package func lease(
    _ files: [FileID], patience: Duration = FileStore.patience, isStopped: () -> Bool = { false }
  ) throws(StoreError) -> StoreLease {
    let text = Array(files.map { "\($0)\n" }.joined().utf8)
    return try withLock(.shared, patience: patience, isStopped: isStopped) { () throws(StoreError) in
      try StoreError.wrap("cannot write a lease", path: path) { () throws(Errno) in
        let temporary = try makeTemporary(permissions: 0o666)
        let name = "\(StoreLayout.leases)/\(StoreLayout.newName())"
        do throws(Errno) {
          try temporary.file.descriptor.pwrite(text.span, at: 0)
          try root.directory.rename(temporary.name, to: name)
        } catch {
          discard(temporary)
          throw error
        }
        for id in files { markUsed(id) }
        return StoreLease(store: self, name: name, file: temporary.file)
      }
    }
  }

  /// What the leases of living processes want; those of others are removed. To be called with the lock of the store.
  ///
  /// - Parameter removesDead: Whether they are.
  /// - Returns: `nil` when one cannot be understood: then everything is wanted.
  /// - Throws: ``Errno`` when they cannot be looked at.
  func leasedFiles(removesDead: Bool) throws(Errno) -> Set<FileID>? {
    var files: Set<FileID> = []
    for entry in try root.directory.names(in: StoreLayout.leases) {
      let name = "\(StoreLayout.leases)/\(entry)"
      guard let file = try root.directory.openIfThere(name) else { continue }
      // Its process holds it exclusively.
      if try file.descriptor.tryLock(.shared) {
        if removesDead { try root.directory.remove(name) }
        continue
      }
      let size = try file.descriptor.status().size
      guard size <= Self.longestLease, let bytes = try file.read(count: Int(size)) else { return nil }
      for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
        guard let id = StoreLayout.fileID(named: String(line)) else { return nil }
        files.insert(id)
      }
    }
    return files
  }

  private static let longestLease: UInt64 = 16 << 20
}

extension Directory {
  /// The names in a folder of this one; none where there is no such folder.
  func names(in folder: String) throws(Errno) -> [String] {
    do throws(Errno) {
      return try openDirectory(folder).names()
    } catch .noSuchFile {
      return []
    }
  }

  /// Opens a file that somebody else may remove at any time; `nil` when it is gone, or is no regular file.
  func openIfThere(_ name: String) throws(Errno) -> OpenFile? {
    do throws(Errno) {
      let file = OpenFile(try open(name, OpenMode(.read, followsLinks: false, waits: false)))
      return try file.descriptor.status().kind == .regular ? file : nil
    } catch .noSuchFile {
      return nil
    } catch .tooManyLinks {
      return nil
    } catch .isDirectory {
      return nil
    }
  }
}
