internal import CLinuxShims
internal import Glibc

/// What a rename does with something that already has the new name.
package enum RenameManner: Sendable {
  /// Replaces it, in one step.
  case replacing
  /// Fails with ``Errno/alreadyExists``.
  case keeping
  /// Swaps the two, in one step.
  case exchanging
}

// The calls that take a path, relative to a directory: shared by `FileSystem`, whose directory is the working directory,
// and `Directory`.
extension SystemCalls {
  func open(_ path: String, in directory: CInt, _ mode: OpenMode) throws(Errno) -> FileDescriptor {
    var flags = O_CLOEXEC | O_NOCTTY
    switch mode.access {
    case .read: flags |= O_RDONLY
    case .write: flags |= O_WRONLY
    case .readWrite: flags |= O_RDWR
    }
    if !mode.followsLinks { flags |= O_NOFOLLOW }
    if !mode.waits { flags |= O_NONBLOCK }
    var permissions: FilePermissions = 0
    switch mode.creation {
    case .never: break
    case .ifMissing(let wanted): (flags, permissions) = (flags | O_CREAT, wanted)
    case .always(let wanted): (flags, permissions) = (flags | O_CREAT | O_EXCL, wanted)
    }
    return try open(path, in: directory, flags: flags, permissions)
  }

  /// Opens the file that a descriptor stands for once more, for reading, with a mode and an offset of its own. Needs `/proc`.
  func openAgain(_ descriptor: CInt) throws(Errno) -> FileDescriptor {
    try open("/proc/self/fd/\(descriptor)", in: AT_FDCWD, flags: O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0)
  }

  func openDirectory(_ path: String, in directory: CInt) throws(Errno) -> FileDescriptor {
    try open(path, in: directory, flags: O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
  }

  private func open(
    _ path: String, in directory: CInt, flags: CInt, _ permissions: FilePermissions
  ) throws(Errno) -> FileDescriptor {
    try check(path)
    let number = try make(.open) { unsafe openat(directory, path, flags, permissions.rawValue) }
    return FileDescriptor(owning: number, calls: self)
  }

  func status(_ path: String, in directory: CInt, followsLinks: Bool) throws(Errno) -> FileStatus {
    try check(path)
    var result = stat()
    _ = try make(.stat) { unsafe fstatat(directory, path, &result, followsLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
    return FileStatus(result)
  }

  func makeDirectory(_ path: String, in directory: CInt, _ permissions: FilePermissions) throws(Errno) {
    try check(path)
    _ = try make(.mkdir) { unsafe mkdirat(directory, path, permissions.rawValue) }
  }

  func remove(_ path: String, in directory: CInt) throws(Errno) {
    try check(path)
    _ = try make(.unlink) { unsafe unlinkat(directory, path, 0) }
  }

  func rename(
    _ path: String, in directory: CInt, to newPath: String, in newDirectory: CInt, _ manner: RenameManner
  ) throws(Errno) {
    try check(path)
    try check(newPath)
    let mode =
      switch manner {
      case .replacing: shim_rename_replace
      case .keeping: shim_rename_no_replace
      case .exchanging: shim_rename_exchange
      }
    _ = try make(.rename) { unsafe shim_rename(directory, path, newDirectory, newPath, mode) }
  }

  /// C would read a path with a zero byte only up to there, and that is the path of another file.
  private func check(_ path: String) throws(Errno) {
    if path.utf8.contains(0) { throw .invalidArgument }
  }
}
