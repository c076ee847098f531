package import ChunkSystem

extension PartialFile {
  /// Makes the file durable and gives it its name, in this order: length, permissions, bytes to the medium, rename, directory
  /// to the medium, files beside it away.
  ///
  /// - Parameters:
  ///   - length: How long it has to be.
  ///   - permissions: What it gets; by default those of the file it replaces, else those any new file gets.
  ///   - replacing: Whether a file of that name is replaced; if not, it is an error.
  /// - Throws: ``StoreError``. Before the rename has happened the old file stays, and this one can be resumed. When bytes
  ///   did not reach the medium this object is of no further use. A file beside it that cannot be removed is no error.
  package func finish(
    length: UInt64, permissions: FilePermissions? = nil, replacing: Bool = true
  ) throws(StoreError) {
    try setLength(length)
    try setFinalPermissions(permissions)
    try syncData()
    try rename(replacing: replacing)
    end(with: StoreError(.other, "the file is finished", path: output.path))
    try StoreError.wrap("cannot make the new name durable", path: output.path) { () throws(Errno) in
      try directory.directory.sync()
    }
    removeSideFiles()
    unlock()
  }

  /// Removes the partial and what lies beside it: for bytes that turned out wrong and could not be told apart from right ones.
  package func discard() throws(StoreError) {
    try checkUsable()
    removeSideFiles()
    _ = try wrap("cannot remove the partial file") { () throws(Errno) in
      try directory.directory.remove(name)
    }
    end(with: StoreError(.other, "the partial file was given up", path: path))
    unlock()
  }

  /// Lets others begin. If that fails, they can when this object goes.
  private func unlock() {
    do throws(Errno) {
      try file.descriptor.unlock()
    } catch {}
  }

  private func setFinalPermissions(_ wanted: FilePermissions?) throws(StoreError) {
    try wrap("cannot set the permissions") { () throws(Errno) in
      let usual = FilePermissions(rawValue: 0o666 & ~output.files.creationMask().rawValue)
      let replaced = try directory.directory.status(output.name)
      // Nobody gets a file that runs as its owner because another one of that name did.
      let inherited = replaced.flatMap { status in
        status.kind == .regular ? FilePermissions(rawValue: status.permissions.rawValue & 0o777) : nil
      }
      try file.descriptor.setPermissions(wanted ?? inherited ?? usual)
    }
  }

  private func syncData() throws(StoreError) {
    do throws(Errno) {
      try file.descriptor.syncData()
    } catch {
      let failure = StoreError(error, "cannot bring the bytes to the medium", path: path)
      end(with: failure)
      throw failure
    }
  }

  private func rename(replacing: Bool) throws(StoreError) {
    do throws(Errno) {
      try directory.directory.rename(name, to: output.name, replacing ? .replacing : .keeping)
    } catch .alreadyExists {
      throw StoreError(.notUsable, "there is a file of that name already", path: output.path)
    } catch {
      throw StoreError(error, "cannot give the finished file its name", path: output.path)
    }
  }
}
