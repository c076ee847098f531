package import ChunkCore
package import ChunkSystem

extension FileStore {
  /// Puts a file that is on disk into the store, with its manifest. Not durable before ``sync()``.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - id: What it is.
  ///   - progress: Is told how far it is, and can stop it.
  ///   - manifest: Calls the sink it gets with one piece of the manifest after the other.
  /// - Returns: What was done: chunks that the file does not have, or not right, are missing then.
  /// - Throws: ``StoreError`` when the store takes no more, or the manifest does not verify.
  package func add(
    _ file: OpenFile, _ id: FileID, progress: HashingProgress = HashingProgress(),
    manifest: (_ sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) -> Void
  ) throws(StoreError) -> StoreAddition.Report {
    // The order of section 4 of store-v1.md: the lease, the manifest, the chunks.
    let lease = try lease([id], isStopped: { progress.isCancelled })
    defer { extendLifetime(lease) }
    try putManifest(id, content: manifest)
    guard let stored = try self.manifest(id) else {
      throw StoreError(.missing, "the manifest is gone again", path: manifestPath(id))
    }
    return try StoreAddition(to: self, geometry: stored.manifest.geometry).add(
      file, page: { group throws(StoreError) in try stored.page(group: group) }, progress: progress,
      isStopped: { progress.isCancelled })
  }
}
