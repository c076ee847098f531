internal import ChunkSystem

extension PartialFile {
  /// Opens, or makes, the partial of an output and locks it, without waiting.
  ///
  /// - Throws: ``StoreError/Code/locked`` when another process has it; ``StoreError/Code/notUsable`` when something
  ///   that is not ours lies at its path: it is left alone.
  /// - Precondition: The output is a ``OutputPath/Kind/file``.
  package static func open(for output: OutputPath) throws(StoreError) -> PartialFile {
    precondition(output.kind == .file, "only a file has a partial")
    let directory = try StoreError.wrap("cannot open the directory", path: output.directory) { () throws(Errno) in
      SharedDirectory(try output.files.openDirectory(output.directory))
    }
    // Another process may rename or remove the file between our opening and our locking it. Each turn is one that
    // process won, so there are few.
    for _ in 0..<100 {
      guard let partial = try openAndLock(output, directory) else { continue }
      if try isBeingFinished(output, directory) {
        partial.removeIfEmpty()
        throw locked(output)
      }
      try partial.prepareForUse()
      return partial
    }
    throw locked(output)
  }

  /// - Returns: `nil` when the path no longer leads to the file that was locked.
  private static func openAndLock(
    _ output: OutputPath, _ directory: SharedDirectory
  ) throws(StoreError) -> PartialFile? {
    let (name, path) = (output.partialName, output.partialPath)
    let file: OpenFile
    do throws(Errno) {
      let mode = OpenMode(.readWrite, creation: .ifMissing(0o600), followsLinks: false, waits: false)
      file = OpenFile(try directory.directory.open(name, mode))
    } catch .tooManyLinks {
      throw notOurs("is a symbolic link", path)
    } catch .isDirectory {
      throw notOurs("is a directory", path)
    } catch .noSuchAddress {
      throw notOurs("is not a regular file", path)
    } catch {
      throw StoreError(error, "cannot open the partial file", path: path)
    }
    return try StoreError.wrapStore("cannot lock the partial file", path: path) { () throws(Errno) in
      let status = try file.descriptor.status()
      if let problem = problem(with: status) { return .failure(notOurs(problem, path)) }
      guard try file.descriptor.tryLock(.exclusive) else { return .failure(locked(output)) }
      guard try directory.directory.status(name)?.identity == status.identity else { return .success(nil) }
      // Only now is the length what it will be.
      let length = try file.descriptor.status().size
      return .success(PartialFile(output: output, directory: directory, file: file, lengthFound: length))
    }
  }

  private static func problem(with status: FileStatus) -> String? {
    if status.kind != .regular { return "is not a regular file" }
    if status.linkCount > 1 { return "has other names as well" }
    if status.owner != FileSystem.effectiveUser { return "belongs to another user" }
    return nil
  }

  /// Whether the final name is a file whose lock is held: its process has renamed it, and is about to remove what lies
  /// beside it.
  private static func isBeingFinished(_ output: OutputPath, _ directory: SharedDirectory) throws(StoreError) -> Bool {
    do throws(Errno) {
      let mode = OpenMode(.read, followsLinks: false, waits: false)
      let final = try directory.directory.open(output.name, mode)
      guard try final.status().kind == .regular else { return false }
      return try !final.tryLock(.shared)
    } catch {
      // There is none, or it cannot be opened and so is not this user's to be finishing.
      return false
    }
  }

  private func prepareForUse() throws(StoreError) {
    try wrap("cannot use the partial file") { () throws(Errno) in
      try file.descriptor.setPermissions(0o600)
      if lengthFound > 0 { try file.descriptor.dropCache() }
    }
  }

  /// Takes back a file made in vain. What cannot be removed does no harm.
  private func removeIfEmpty() {
    guard lengthFound == 0 else { return }
    do throws(Errno) {
      try directory.directory.remove(name)
    } catch {}
  }

  private static func notOurs(_ problem: String, _ path: String) -> StoreError {
    StoreError(.notUsable, "\(problem), so it is not used; remove it or choose another output", path: path)
  }

  private static func locked(_ output: OutputPath) -> StoreError {
    StoreError(.locked, "another process is writing it", path: output.path)
  }
}

extension StoreError {
  /// Like `wrap`, for a body that finds errors of its own.
  fileprivate static func wrapStore<Value>(
    _ attempt: String, path: String, _ body: () throws(Errno) -> Result<Value, StoreError>
  ) throws(StoreError) -> Value {
    try wrap(attempt, path: path, body).get()
  }
}
