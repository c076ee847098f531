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
    let root = try StoreError.wrap("cannot open the store", path: path) { () throws(Errno) in
      if isMade { do throws(Errno) { try files.makeDirectory(path) } catch .alreadyExists {} }
      return SharedDirectory(try files.openDirectory(path))
    }
    let store = FileStore(path: path, root: root, compresses: compresses)
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
      for folder in StoreLayout.folders {
        do throws(Errno) { try root.directory.makeDirectory(folder) } catch .alreadyExists {}
      }
      let line = StoreLayout.formatLine
      try publish(StoreLayout.format, line.span, isDurable: true)
    }
  }
}
