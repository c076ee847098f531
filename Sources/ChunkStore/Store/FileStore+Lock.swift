internal import ChunkSystem

extension FileStore {
  /// Runs `body` with the lock of the store, after waiting for it.
  ///
  /// - Parameters:
  ///   - kind: Shared for those who write a lease, exclusive for who removes something (S6, S7).
  ///   - patience: For how long it is waited for.
  ///   - isStopped: Asked while waiting.
  ///   - body: What is done with it.
  /// - Returns: What `body` returned.
  /// - Throws: ``StoreError/Code/locked`` when it was not to be had in that time.
  func withLock<Result>(
    _ kind: FileLock, patience: Duration, isStopped: () -> Bool, _ body: () throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    // An open file of its own: the lock of another one is not given back with this one.
    let file = try StoreError.wrap("cannot lock the store", path: path) { () throws(Errno) in
      let mode = OpenMode(.readWrite, creation: .ifMissing(0o666), followsLinks: false)
      return OpenFile(try root.directory.open(StoreLayout.lock, mode))
    }
    let deadline = Instant.now.advanced(by: patience)
    while try !tryLock(file, kind) {
      if isStopped() { throw StoreError(.cancelled, "waiting for the store was stopped", path: path) }
      guard Instant.now < deadline else {
        let owner = kind == .shared ? "being pruned" : "in use"
        throw StoreError(.locked, "the store is \(owner); try again later", path: path)
      }
      DedicatedThread.pause(for: Self.interval)
    }
    defer { extendLifetime(file) }
    return try body()
  }

  /// How often a lock is asked for that another process has.
  private static let interval = Duration.milliseconds(10)

  private func tryLock(_ file: OpenFile, _ kind: FileLock) throws(StoreError) -> Bool {
    try StoreError.wrap("cannot lock the store", path: path) { () throws(Errno) in try file.descriptor.tryLock(kind) }
  }
}
