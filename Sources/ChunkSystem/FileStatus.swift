internal import Glibc

/// What the kernel knows about a file besides its bytes.
package struct FileStatus: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case regular, directory, symbolicLink, fifo, characterDevice, other
  }

  /// Which file it is: two descriptors with the same one are the same file.
  package struct Identity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
  }

  /// A moment as the file system stamps it.
  package struct Timestamp: Hashable, Sendable {
    package let seconds: Int64
    package let nanoseconds: Int64
  }

  package let kind: Kind
  package let identity: Identity
  /// The length in bytes.
  package let size: UInt64
  /// What the file occupies on the medium, in bytes.
  package let allocated: UInt64
  package let permissions: FilePermissions
  /// How many names it has.
  package let linkCount: UInt64
  /// The user it belongs to.
  package let owner: UInt32
  package let modified: Timestamp
  package let changed: Timestamp
}

/// The twelve permission bits, as `chmod(1)` takes them.
package struct FilePermissions: Hashable, Sendable, ExpressibleByIntegerLiteral {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue & 0o7777
  }

  package init(integerLiteral value: UInt32) {
    self.init(rawValue: value)
  }
}

extension FileStatus {
  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      case S_IFCHR: .characterDevice
      default: .other
      }
    identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    size = UInt64(max(0, status.st_size))
    allocated = UInt64(max(0, status.st_blocks)) * 512
    permissions = FilePermissions(rawValue: status.st_mode)
    linkCount = UInt64(status.st_nlink)
    owner = status.st_uid
    modified = Timestamp(status.st_mtim)
    changed = Timestamp(status.st_ctim)
  }
}

extension FileStatus.Timestamp {
  fileprivate init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}

extension FileDescriptor {
  package func status() throws(Errno) -> FileStatus {
    var result = stat()
    _ = try calls.make(.stat) { unsafe fstat(rawValue, &result) }
    return FileStatus(result)
  }

  package func setPermissions(_ permissions: FilePermissions) throws(Errno) {
    _ = try calls.make(.fchmod) { fchmod(rawValue, permissions.rawValue) }
  }
}

extension FileSystem {
  /// The user this process acts as.
  package static var effectiveUser: UInt32 { geteuid() }
}
