internal import CLinuxShims
internal import Glibc

extension FileDescriptor {
  /// Waits until the bytes, and what is needed to find them, are on the medium.
  ///
  /// An error is final: the kernel has marked the lost pages as clean by then, so that a second call would succeed without
  /// having written them.
  package func syncData() throws(Errno) {
    _ = try calls.make(.fdatasync) { fdatasync(rawValue) }
  }

  /// Waits until bytes and metadata are on the medium. An error is final, as with ``syncData()``.
  package func sync() throws(Errno) {
    _ = try calls.make(.fsync) { fsync(rawValue) }
  }

  /// Waits until everything written to the file system so far is on the medium.
  package func syncFileSystem() throws(Errno) {
    _ = try calls.make(.syncfs) { shim_sync_file_system(rawValue) }
  }

  /// Has the kernel begin to bring to the medium what was written, so that less is left for ``syncData()``. Makes nothing
  /// durable by itself, and waits for nothing but room in the queue of the device.
  package func startWriteback() throws(Errno) {
    _ = try calls.make(.syncFileRange) { shim_start_writeback(rawValue) }
  }

  /// Asks the kernel to forget what it keeps in memory of the file, so that the next read comes from the medium. Pages that
  /// wait to be written stay.
  package func dropCache() throws(Errno) {
    try advise(POSIX_FADV_DONTNEED)
  }

  /// Tells the kernel that the file will be read from front to back.
  package func expectSequentialReads() throws(Errno) {
    try advise(POSIX_FADV_SEQUENTIAL)
  }

  private func advise(_ advice: CInt) throws(Errno) {
    _ = try calls.make(.fadvise) {
      // This call returns its error instead of setting errno, where it is looked for.
      let number = posix_fadvise(rawValue, 0, 0, advice)
      errno = number
      return number == 0 ? 0 : -1
    }
  }

  /// Whether the kernel has most of these bytes in memory, so that reading them costs nothing but a copy.
  ///
  /// - Precondition: `offset` is a multiple of the size of a page, and `count` 1 to 1 MiB.
  package func isCached(offset: UInt64, count: Int) throws(Errno) -> Bool {
    let offset = try Self.position(offset, count: count)
    return try calls.make(.mincore) { shim_is_cached(rawValue, offset, count) } == 1
  }

  /// Lets reads and writes go past the page cache, or through it again. They then have to be aligned, as ``AlignedBuffer``
  /// is, in memory, offset and length.
  ///
  /// - Throws: ``Errno/invalidArgument`` where the file system cannot.
  package func setDirect(_ on: Bool) throws(Errno) {
    _ = try calls.make(.setDirect) { shim_set_direct(rawValue, on ? 1 : 0) }
  }
}

/// Who else may hold a lock at the same time.
package enum FileLock: Sendable {
  case shared
  case exclusive
}

extension FileDescriptor {
  /// Takes the lock of the open file without waiting. It lasts until the last descriptor of this open file is closed, and
  /// a second open file of the same process is kept out like one of any other.
  ///
  /// - Returns: Whether it was to be had.
  package func tryLock(_ kind: FileLock) throws(Errno) -> Bool {
    do throws(Errno) {
      _ = try calls.make(.lock) { shim_lock_file(rawValue, kind.shim, 0) }
      return true
    } catch .wouldBlock {
      return false
    } catch .accessDenied {
      return false
    }
  }

  /// Takes the lock and waits for it as long as it takes.
  package func lock(_ kind: FileLock) throws(Errno) {
    _ = try calls.make(.lock) { shim_lock_file(rawValue, kind.shim, 1) }
  }

  /// Whether another open file holds a lock of either kind. Takes none, so that nobody is kept out by having been asked about.
  package func isLocked() throws(Errno) -> Bool {
    try calls.make(.lock) { shim_lock_is_held(rawValue) } != 0
  }

  /// Gives the lock back.
  package func unlock() throws(Errno) {
    _ = try calls.make(.lock) { shim_lock_file(rawValue, shim_lock_none, 0) }
  }
}

extension FileLock {
  fileprivate var shim: shim_lock {
    switch self {
    case .shared: shim_lock_shared
    case .exclusive: shim_lock_exclusive
    }
  }
}
