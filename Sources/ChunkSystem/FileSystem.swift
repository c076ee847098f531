internal import Glibc

/// What a file is opened for.
package struct OpenMode: Hashable, Sendable {
  package enum Access: Hashable, Sendable {
    case read, write, readWrite
  }

  package enum Creation: Hashable, Sendable {
    case never
    /// Makes the file when there is none.
    case ifMissing(FilePermissions)
    /// Makes the file, and fails with ``Errno/alreadyExists`` when there is something of that name, be it a broken link.
    case always(FilePermissions)
  }

  package var access: Access
  package var creation: Creation
  /// Whether a symbolic link in the last place is followed; if not, opening one fails with ``Errno/tooManyLinks``.
  package var followsLinks: Bool
  /// Whether opening a FIFO waits for the other side.
  package var waits: Bool

  package init(_ access: Access, creation: Creation = .never, followsLinks: Bool = true, waits: Bool = true) {
    self.access = access
    self.creation = creation
    self.followsLinks = followsLinks
    self.waits = waits
  }

  package static let read = OpenMode(.read)
  package static let readWrite = OpenMode(.readWrite)
}

/// Paths, as the kernel resolves them. Everything opened through one inherits its faults.
///
/// A path is looked up anew with every call; where several names must belong together, open their ``Directory`` once.
package struct FileSystem: Sendable {
  let calls: SystemCalls

  #if DEBUG
    package init() {
      calls = SystemCalls(faults: nil)
    }

    /// A file system whose calls are counted, and fail as planned.
    package init(faults: CallFaults?) {
      calls = SystemCalls(faults: faults)
    }
  #else
    package init() {
      calls = SystemCalls()
    }
  #endif

  package func open(_ path: String, _ mode: OpenMode) throws(Errno) -> FileDescriptor {
    try calls.open(path, in: AT_FDCWD, mode)
  }

  package func openDirectory(_ path: String) throws(Errno) -> Directory {
    Directory(try calls.openDirectory(path, in: AT_FDCWD))
  }

  /// Reads `count` bytes of a file from `offset` on, or fewer where the file ends. Does not wait for the other side of a FIFO.
  package func read(_ path: String, at offset: UInt64 = 0, upTo count: Int) throws(Errno) -> [UInt8] {
    let file = try open(path, OpenMode(.read, waits: false))
    let size = try file.status().size
    guard offset < size else { return [] }
    // Nothing is allocated for a length the file does not have.
    var bytes = [UInt8](repeating: 0, count: Int(min(UInt64(count), size - offset)))
    var span = bytes.mutableSpan
    let read = try file.pread(into: &span, at: offset)
    bytes.removeLast(bytes.count - read)
    return bytes
  }

  package func status(_ path: String, followsLinks: Bool = true) throws(Errno) -> FileStatus {
    try calls.status(path, in: AT_FDCWD, followsLinks: followsLinks)
  }

  package func makeDirectory(_ path: String, permissions: FilePermissions = 0o777) throws(Errno) {
    try calls.makeDirectory(path, in: AT_FDCWD, permissions)
  }

  package func remove(_ path: String) throws(Errno) {
    try calls.remove(path, in: AT_FDCWD)
  }

  package func rename(_ path: String, to newPath: String) throws(Errno) {
    try calls.rename(path, in: AT_FDCWD, to: newPath, in: AT_FDCWD, .replacing)
  }

  /// The permission bits a new file of this process does not get.
  ///
  /// Read from `/proc`, since the call that tells them also sets them, for all threads. The usual 022 where there is none.
  package func creationMask() -> FilePermissions {
    do throws(Errno) {
      let text = try open("/proc/self/status", .read).readText(limit: 16 << 10)
      let line = text.split(separator: "\n").first { $0.hasPrefix("Umask:") }
      let digits = line?.dropFirst("Umask:".count).drop { $0 == "\t" || $0 == " " }
      return digits.flatMap { UInt32($0, radix: 8) }.map(FilePermissions.init(rawValue:)) ?? 0o022
    } catch {
      return 0o022
    }
  }
}

extension FileDescriptor {
  /// The first `limit` bytes of a file that has no length of its own, such as those of `/proc`.
  func readText(limit: Int) throws(Errno) -> String {
    var bytes = [UInt8](repeating: 0, count: limit)
    var span = bytes.mutableSpan
    let count = try pread(into: &span, at: 0)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
