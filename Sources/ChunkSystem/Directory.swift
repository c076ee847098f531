internal import Glibc

/// An open directory. Names in it stay names in it, whatever becomes of the path that led there.
///
/// The owner is one; threads share it as the property of a class.
package struct Directory: ~Copyable, Sendable {
  package let descriptor: FileDescriptor

  init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }

  private var calls: SystemCalls { descriptor.calls }

  /// Makes creations, renames and removals in the directory durable.
  package func sync() throws(Errno) {
    try descriptor.sync()
  }

  package func open(_ name: String, _ mode: OpenMode) throws(Errno) -> FileDescriptor {
    try calls.open(name, in: descriptor.rawValue, mode)
  }

  package func openDirectory(_ name: String) throws(Errno) -> Directory {
    Directory(try calls.openDirectory(name, in: descriptor.rawValue))
  }

  package func makeDirectory(_ name: String, permissions: FilePermissions = 0o777) throws(Errno) {
    try calls.makeDirectory(name, in: descriptor.rawValue, permissions)
  }

  /// What the name stands for; `nil` when there is no such name.
  package func status(_ name: String, followsLinks: Bool = false) throws(Errno) -> FileStatus? {
    do throws(Errno) {
      return try calls.status(name, in: descriptor.rawValue, followsLinks: followsLinks)
    } catch .noSuchFile {
      return nil
    }
  }

  /// Removes a name that is no directory.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package func remove(_ name: String) throws(Errno) -> Bool {
    do throws(Errno) {
      try calls.remove(name, in: descriptor.rawValue)
      return true
    } catch .noSuchFile {
      return false
    }
  }

  package func rename(_ name: String, to newName: String, _ manner: RenameManner = .replacing) throws(Errno) {
    try calls.rename(name, in: descriptor.rawValue, to: newName, in: descriptor.rawValue, manner)
  }
}
