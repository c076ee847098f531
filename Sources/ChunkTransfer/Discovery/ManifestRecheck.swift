internal import ChunkSystem

/// Looks for a newer manifest when nothing but wrong chunks came: file and manifest may have been replaced together, with
/// the old manifest still in some cache, or read a moment before.
///
/// Runs on a thread of its own, so that the engine goes on meanwhile. One thread calls these methods.
final class ManifestRecheck: Sendable {
  private let location: ManifestLocation
  private let current: LocatedManifest
  private let search: Cancellation
  private let thread = Lock<DedicatedThread?>(nil)
  private let found = Lock<LocatedManifest?>(nil)

  /// - Parameters:
  ///   - location: where to look; its fetches must end when `search` is cancelled.
  ///   - current: the manifest that the chunks were compared with.
  ///   - search: ends the search when it is cancelled.
  init(location: ManifestLocation, current: LocatedManifest, search: Cancellation) {
    self.location = location
    self.current = current
    self.search = search
  }

  /// Begins to look; a manifest of another file ID is posted as `manifestReplaced`. Where there is no thread for it, nothing
  /// is looked for: the transfer then ends as it would with the same manifest.
  func start(post: @escaping @Sendable (EngineEvent) -> Void) {
    do throws(Errno) {
      let started = try DedicatedThread(name: "manifest") {
        guard let newer = self.look() else { return }
        self.found.withLock { $0 = newer }
        post(.manifestReplaced(Self.replaced))
      }
      thread.withLock { $0 = started }
    } catch {}
  }

  /// Ends the search. Returns when its thread has ended.
  func cancel() {
    search.cancel()
    thread.withLock { $0 }?.join()
  }

  /// Waits for the end of the search; nil when it found nothing newer, or was never started.
  func result() -> LocatedManifest? {
    thread.withLock { $0 }?.join()
    return found.withLock { $0 }
  }

  /// The manifest as it is now, past every cache; nil when that is the same, or cannot be had.
  func look() -> LocatedManifest? {
    guard case .success(.found(let now)) = Result(catching: { () throws(TransferError) in try location.find() }),
      now.manifest.fileID != current.manifest.fileID
    else { return nil }
    return now
  }

  /// What a transfer ends with that cannot start over.
  static let replaced = TransferError(
    .sourceChanged, "the publisher replaced file and manifest while they were fetched; run the command again.",
    isRetryable: true)
}
