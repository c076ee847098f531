internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// What one download has to do with a store: it takes chunks from it, and puts those in that it had to get elsewhere.
///
/// A store makes downloads cheaper and never lets one fail: what does not work is told once, and the download goes on with less.
/// Any thread may call anything.
final class StoreUse: Sendable {
  private struct State {
    var addedBytes: UInt64 = 0
    /// Whether something was told already, after which nothing more is put in.
    var hasFailed = false
  }

  /// Only read when it cannot be written.
  let store: any ChunkStoring
  /// The manifest in the store; nil when it could not be put there.
  let manifest: StoredManifest?
  private let files: FileStore
  /// As long as it lives, no prune removes what this download relies on.
  private let lease: StoreLease?
  private let geometry: ChunkGeometry
  /// Which chunks are in the store, right, for certain.
  private let known: SharedChunkSet
  private let onNotice: (@Sendable (String) -> Void)?
  private let state: Lock<State>

  /// A store that is only read where there is no `lease`, and that takes nothing where there is no `manifest`.
  init(
    _ files: FileStore, lease: StoreLease?, manifest: StoredManifest?, geometry: ChunkGeometry,
    onNotice: (@Sendable (String) -> Void)?
  ) {
    self.files = files
    self.lease = lease
    self.manifest = manifest
    self.geometry = geometry
    self.onNotice = onNotice
    store = lease == nil ? ReadOnlyStore(files) : files
    known = SharedChunkSet(capacity: geometry.chunkCount)
    // Why it is only read was told when that was found out.
    state = Lock(State(hasFailed: lease == nil || manifest == nil))
  }

  /// These are in the store, right.
  func found(_ chunks: [ChunkIndex]) { known.insert(chunks) }

  /// Puts verified chunks in that it does not have.
  func keep(_ chunks: [VerifiedChunk]) {
    for chunk in chunks where !known.contains(chunk.index) {
      if state.withLock({ $0.hasFailed }) { return }
      do throws(StoreError) {
        try store.put(chunk)
      } catch {
        return fail(error)
      }
      known.insert(CollectionOfOne(chunk.index))
      let count = UInt64(geometry.length(of: chunk.index))
      state.withLock { $0.addedBytes += count }
    }
  }

  /// Puts in what was on disk before, and makes all of it durable.
  ///
  /// - Parameters:
  ///   - file: The finished file; nil when it was a stream, all of which has passed through ``keep(_:)``.
  ///   - isStopped: Ends it early; then nothing is said to be stored.
  /// - Returns: How many bytes are new in the store; nil when not all of the file is there.
  func finish(with file: OpenFile?, isStopped: @escaping @Sendable () -> Bool) -> UInt64? {
    guard let manifest, !state.withLock({ $0.hasFailed }) else { return nil }
    do throws(StoreError) {
      if let file {
        let known = known
        let added = try StoreAddition(to: store, geometry: geometry).add(
          file, page: { group throws(StoreError) in try manifest.page(group: group) }, isKnown: { known.contains($0) },
          isStopped: isStopped)
        // Somebody has written to the file meanwhile.
        guard added.wrongCount == 0 else { return nil }
        state.withLock { $0.addedBytes += added.addedBytes }
      }
      try files.sync()
      return state.withLock { $0.addedBytes }
    } catch {
      if error.code != .cancelled { fail(error) }
      return nil
    }
  }

  private func fail(_ error: StoreError) {
    let isFirst = state.withLock { state in
      defer { state.hasFailed = true }
      return !state.hasFailed
    }
    if isFirst { onNotice?("nothing more is put in the store: \(error)") }
  }
}
