internal import ChunkCore
internal import ChunkSystem

extension StoreAudit {
  /// Removes files that are wrong beside a right one of the same chunk, so that the next audit finds nothing.
  ///
  /// - Returns: Those that were removed. What has no right one beside it is left: bytes that are wanted come from a download, what nobody
  ///   wants goes with a prune.
  package func removeSuperfluous(_ files: [WrongFile]) throws(StoreError) -> [WrongFile] {
    guard !files.isEmpty else { return [] }
    return try store.withLock(.exclusive, patience: FileStore.patience, isStopped: { false }) { () throws(StoreError) in
      var removed: [WrongFile] = []
      for file in files where isSuperfluous(file) {
        try StoreError.wrap("cannot remove a wrong chunk", path: store.path) { () throws(Errno) in
          _ = try store.root.directory.remove(StoreLayout.chunk(file.id, file.form))
        }
        removed.append(file)
      }
      return removed
    }
  }

  /// Whether the other form is right. It stays so: nobody removes a chunk while the lock is held, so nothing is lost even if the
  /// wrong file has become right by now.
  private func isSuperfluous(_ file: WrongFile) -> Bool {
    StoreLayout.Form.allCases.contains { form in
      form != file.form && isRight(WrongFile(id: file.id, form: form))
    }
  }
}
