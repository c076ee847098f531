internal import ChunkCore
package import ChunkSystem

extension FileStore {
  /// Puts a file that is on disk into the store, with its manifest. Not durable before ``sync()``.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - stored: Its manifest.
  ///   - progress: Is told how far it is, and can stop it.
  /// - Returns: What was done: chunks that the file does not have, or not right, are missing then.
  /// - Throws: ``StoreError`` when the store takes no more, or the manifest does not verify.
  package func add(
    _ file: OpenFile, describedBy stored: StoredManifest, progress: HashingProgress = HashingProgress()
  ) throws(StoreError) -> StoreAddition.Report {
    let id = stored.manifest.fileID
    // The order of section 4 of store-v1.md: the lease, the manifest, the chunks.
    let lease = try lease([id], isStopped: { progress.isCancelled })
    defer { extendLifetime(lease) }
    try putManifest(id) { sink throws(StoreError) in try stored.write(to: sink) }
    return try StoreAddition(to: self, geometry: stored.manifest.geometry).add(
      file, page: { group throws(StoreError) in try stored.page(group: group) }, progress: progress,
      isStopped: { progress.isCancelled })
  }
}
