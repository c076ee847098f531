package import ChunkCore
internal import ChunkSystem

/// Removes from a store what nobody wants.
///
/// Source: `Spec/store-v1.md`, section 6. Whatever moment it ends at, no manifest has lost a chunk by it.
package struct StoreSweep {
  /// What was removed, or would be.
  package struct Report: Hashable, Sendable {
    /// The manifests that were given up for room, longest unused first.
    package fileprivate(set) var manifests: [FileID] = []
    package fileprivate(set) var chunkCount = 0
    /// The bytes of chunks and manifests.
    package fileprivate(set) var byteCount: UInt64 = 0
    /// The bytes of chunks and manifests that stay.
    package fileprivate(set) var keptByteCount: UInt64 = 0
  }

  private let store: FileStore
  private let maximumSize: UInt64?
  private let isDryRun: Bool
  private var report = Report()

  /// - Parameters:
  ///   - store: The store.
  ///   - maximumSize: How many bytes chunks and manifests may have; those longest unused go until they have no more. Pinned ones
  ///     and those that are in use stay.
  ///   - isDryRun: Whether it is only told what would be removed.
  package init(of store: FileStore, maximumSize: UInt64? = nil, isDryRun: Bool = false) {
    self.store = store
    self.maximumSize = maximumSize
    self.isDryRun = isDryRun
  }

  /// Blocks until it is done; downloads that begin meanwhile wait for the end.
  ///
  /// - Throws: ``StoreError``, with ``StoreError/Code/damaged`` when a manifest does not verify, since it is not known then
  ///   what it wants; nothing has been removed.
  package mutating func run() throws(StoreError) -> Report {
    let start = try store.now()
    var tally = try ChunkTally(of: store, since: start)
    // What follows happens under the lock; the listing took most of the time.
    let (store, kind) = (store, isDryRun ? FileLock.shared : .exclusive)
    var sweep = self
    let result = Result { () throws(StoreError) in
      try store.withLock(kind, patience: FileStore.patience, isStopped: { false }) { () throws(StoreError) in
        try sweep.sweep(&tally, since: start)
      }
    }
    try result.get()
    return sweep.report
  }

  private mutating func sweep(_ tally: inout ChunkTally, since start: FileStatus.Timestamp) throws(StoreError) {
    let leased = try wrap { () throws(Errno) in try store.leasedFiles(removesDead: !isDryRun) }
    var manifests = try inventory()
    var bytes: UInt64 = 0
    for entry in manifests {
      bytes += entry.stored.manifest.totalLength
      try entry.stored.forEachChunk { chunk, _ in bytes += tally.want(chunk.id, by: 1) }
    }
    report.keptByteCount = bytes
    // A lease that cannot be understood wants everything.
    guard let leased else { return }

    let kept = leased.union(try store.pinnedIDs())
    manifests.removeAll { kept.contains($0.id) }
    manifests.sort { ($0.used.seconds, $0.used.nanoseconds) < ($1.used.seconds, $1.used.nanoseconds) }
    for entry in manifests where report.keptByteCount > maximumSize ?? .max { try giveUp(entry, &tally) }
    // The names are gone from the medium before any chunk is (S8).
    if !isDryRun, !report.manifests.isEmpty {
      try wrap { () throws(Errno) in try store.syncFolder(of: "\(StoreLayout.manifests)/") }
    }
    try removeChunks(of: tally, since: start)
    if !isDryRun { removeTemporaries(since: start) }
  }

  // MARK: Manifests

  private struct Entry {
    let id: FileID
    let stored: StoredManifest
    let used: FileStatus.Timestamp
  }

  private func inventory() throws(StoreError) -> [Entry] {
    var entries: [Entry] = []
    for id in try store.manifestIDs() {
      guard let stored = try store.manifest(id) else { continue }
      let status = try wrap { () throws(Errno) in try store.root.directory.status(StoreLayout.manifest(id)) }
      if let status { entries.append(Entry(id: id, stored: stored, used: status.modified)) }
    }
    return entries
  }

  private mutating func giveUp(_ entry: Entry, _ tally: inout ChunkTally) throws(StoreError) {
    var bytes = entry.stored.manifest.totalLength
    try entry.stored.forEachChunk { chunk, _ in bytes += tally.want(chunk.id, by: -1) }
    if !isDryRun {
      try wrap { () throws(Errno) in _ = try store.root.directory.remove(StoreLayout.manifest(entry.id)) }
    }
    report.manifests.append(entry.id)
    report.byteCount += entry.stored.manifest.totalLength
    report.keptByteCount -= bytes
  }

  // MARK: Files

  private mutating func removeChunks(of tally: ChunkTally, since start: FileStatus.Timestamp) throws(StoreError) {
    for entry in tally.entries where entry.wantedBy == 0 && !entry.isYoung {
      for form in StoreLayout.Form.allCases {
        let name = StoreLayout.chunk(entry.id, form)
        try wrap { () throws(Errno) in
          // Somebody may have replaced it since it was listed.
          guard let status = try store.root.directory.status(name), !status.isYounger(than: start) else { return }
          if !isDryRun { try store.root.directory.remove(name) }
        }
      }
      report.chunkCount += 1
      report.byteCount += entry.bytes
    }
  }

  /// Files whose writers are gone (S9). What cannot be removed stays for the next time.
  private func removeTemporaries(since start: FileStatus.Timestamp) {
    do throws(Errno) {
      for entry in try store.root.directory.names(in: StoreLayout.temporary) {
        let name = "\(StoreLayout.temporary)/\(entry)"
        guard let file = try store.root.directory.openIfThere(name), try file.descriptor.tryLock(.shared),
          try !file.descriptor.status().isYounger(than: start)
        else { continue }
        try store.root.directory.remove(name)
      }
    } catch {}
  }

  private func wrap<Result>(_ body: () throws(Errno) -> Result) throws(StoreError) -> Result {
    try StoreError.wrap("cannot sweep the store", path: store.path, body)
  }
}
