/// The system calls this program makes on files, by the names of their manual pages. A test counts them and lets single
/// ones fail.
package enum SystemCall: String, Hashable, Sendable, CaseIterable {
  case open, close, stat, statvfs, mkdir, unlink, rename, readlink, readdir, utimens
  case pread, pwrite, pwritev, read, write
  case ftruncate, fallocate, lseek, fchmod
  case fsync, fdatasync, syncfs
  case lock, clone, copyFileRange, fadvise, setDirect, syncFileRange, statfs, mincore, terminal
}

/// The one place system calls go through: it starts interrupted ones again, turns results into errors and, in debug
/// builds, asks whether the call is to fail.
///
/// It is handed down from ``FileSystem`` to every ``Directory`` and ``FileDescriptor`` opened through it, so that faults
/// reach the calls of one object under test and of no other.
struct SystemCalls: Sendable {
  #if DEBUG
    let faults: CallFaults?
  #endif

  /// Makes the call until it is not interrupted.
  ///
  /// - Returns: What the call returned; never negative.
  @inline(__always)
  func make<Result: SignedInteger>(_ call: SystemCall, _ body: () -> Result) throws(Errno) -> Result {
    while true {
      #if DEBUG
        if case .error(let injected) = faults?.next(call) {
          if injected == .interrupted { continue }
          throw injected
        }
      #endif
      let result = body()
      if result >= 0 { return result }
      let error = Errno.current
      if error != .interrupted { throw error }
    }
  }

  /// Makes a call that moves up to `count` bytes. An injected short transfer lowers the number the body gets.
  @inline(__always)
  func transfer(_ call: SystemCall, count: Int, _ body: (_ count: Int) -> Int) throws(Errno) -> Int {
    while true {
      var count = count
      #if DEBUG
        switch faults?.next(call) {
        case .error(.interrupted): continue
        case .error(let injected): throw injected
        case .short: count = min(count, max(1, count / 2))
        case nil: break
        }
      #endif
      let result = body(count)
      if result >= 0 { return result }
      let error = Errno.current
      if error != .interrupted { throw error }
    }
  }
}
