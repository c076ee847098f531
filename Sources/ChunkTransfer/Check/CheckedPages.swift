internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// The chunk IDs of a manifest in a file, for the threads that compare a file with it.
///
/// They go through the file side by side, so most ask for the page that another one has just read: it is kept. A page that
/// cannot be read, or does not verify, stops the whole comparison.
final class CheckedPages: Sendable {
  private struct State {
    var page: LeafPage?
    var failure: StoreError?
  }

  private let stored: StoredManifest
  private let progress: HashingProgress
  private let state = Lock(State())

  init(_ stored: StoredManifest, progress: HashingProgress) {
    self.stored = stored
    self.progress = progress
  }

  var manifest: Manifest { stored.manifest }

  /// Why the IDs that were handed out are not to be believed; nil when they are.
  var failure: StoreError? { state.withLock(\.failure) }

  /// The IDs of the chunks of a group, in order; without any meaning once there is a failure.
  func ids(ofGroup group: Int) -> [ChunkID] {
    if let page = state.withLock(\.page), page.group == group { return page.ids }
    do throws(StoreError) {
      let page = try stored.page(group: group)
      state.withLock { $0.page = page }
      return page.ids
    } catch {
      state.withLock { $0.failure = error }
      progress.cancel()
      let count = manifest.geometry.chunks(inGroup: group).count
      return [ChunkID](repeating: ChunkID(manifest.root), count: count)
    }
  }
}
