package import ChunkSystem

extension FileStore {
  /// Opens the store in a directory.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - isMade: Whether a directory that is not there, or is empty, becomes a store.
  ///   - compresses: Whether chunks are put in compressed where that saves something.
  ///   - files: What the store's calls go through.
  /// - Returns: The store.
  /// - Throws: ``StoreError/Code/notUsable`` when it is something else than a store of this version; ``StoreError/Code/missing`` when
  ///   there is none and none is to be made.
  package static func open(
    _ path: String, isMade: Bool = false, compresses: Bool = false, files: FileSystem = FileSystem()
  ) throws(StoreError) -> FileStore {
    try open(path, isMade: isMade, StoreManner(forms: compresses ? .smaller : .plain), files: files)
  }

  /// Opens the store in a directory, or makes it one, for being served as it lies there: whatever the umask, everybody may read what is
  /// put in.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - compresses: Whether chunks are put in compressed too, where that saves something: whoever serves them cannot unpack them.
  ///   - files: What the store's calls go through.
  /// - Returns: The store.
  /// - Throws: ``StoreError/Code/notUsable`` when it is something else than a store of this version.
  package static func openForServing(
    _ path: String, compresses: Bool = false, files: FileSystem = FileSystem()
  ) throws(StoreError) -> FileStore {
    try open(path, isMade: true, StoreManner(forms: compresses ? .both : .plain, isPublic: true), files: files)
  }

  private static func open(
    _ path: String, isMade: Bool, _ manner: StoreManner, files: FileSystem
  ) throws(StoreError) -> FileStore {
    let root = try StoreError.wrap("cannot open the store", path: path) { () throws(Errno) in
      let isNew = isMade ? try files.makeDirectoryIfMissing(path) : false
      let root = SharedDirectory(try files.openDirectory(path))
      if isNew, manner.isPublic { try root.directory.descriptor.setPermissions(0o755) }
      return root
    }
    let store = FileStore(path: path, root: root, manner: manner)
    if try !store.hasFormat() {
      guard isMade else { throw StoreError(.missing, "there is no chunk store here", path: path) }
      try store.make()
    }
    return store
  }

  /// - Returns: Whether the directory says that it is a store; what says something else is refused.
  private func hasFormat() throws(StoreError) -> Bool {
    let line: [UInt8]?
    do throws(Errno) {
      let file = OpenFile(try root.directory.open(StoreLayout.format, OpenMode(.read, waits: false)))
      let size = try file.descriptor.status().size
      line = size == UInt64(StoreLayout.formatLine.count) ? try file.read(count: Int(size)) : nil
    } catch .noSuchFile {
      return false
    } catch {
      throw StoreError(error, "cannot read what it is", path: "\(path)/\(StoreLayout.format)")
    }
    guard line == StoreLayout.formatLine else {
      throw StoreError(.notUsable, "is not a chunk store of version 1; choose another directory", path: path)
    }
    return true
  }

  /// Makes the directory a store, unless something else lies there. Several processes may do it at once.
  private func make() throws(StoreError) {
    try StoreError.wrap("cannot make a store", path: path) { () throws(Errno) in
      let isFree = try root.directory.names().allSatisfy(StoreLayout.names.contains)
      return Result { () throws(StoreError) in
        guard isFree else {
          throw StoreError(.notUsable, "has other files and is no chunk store; choose another directory", path: path)
        }
      }
    }.get()
    try StoreError.wrap("cannot make a store", path: path) { () throws(Errno) in
      for folder in StoreLayout.folders { try makeDirectory(folder) }
      let line = StoreLayout.formatLine
      try publish(StoreLayout.format, line.span, isDurable: true)
    }
  }
}

/// How chunks are put into a store by this process, and who may read them.
struct StoreManner: Hashable, Sendable {
  enum Forms: Hashable, Sendable {
    case plain
    /// Compressed where that saves something, else plain.
    case smaller
    /// Plain, and compressed where that saves something.
    case both
  }

  var forms = Forms.plain
  /// Whether everybody may read what is put in, whatever the umask.
  var isPublic = false
}

extension FileSystem {
  /// - Returns: Whether there was none.
  fileprivate func makeDirectoryIfMissing(_ path: String) throws(Errno) -> Bool {
    do throws(Errno) {
      try makeDirectory(path)
      return true
    } catch .alreadyExists {
      return false
    }
  }
}
