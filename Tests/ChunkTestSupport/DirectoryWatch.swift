package import ChunkSystem
internal import Glibc

/// Tells of changes to the files of a directory as they happen, so that a test can act at a moment of a process's work
/// that is given by what the process has done, and not by a clock.
package final class DirectoryWatch: Sendable {
  private let changes: CInt
  private let wakeRead: CInt
  private let wakeWrite: CInt

  /// Watches from now on.
  package init(_ path: String) throws(Errno) {
    let changes = inotify_init1(CInt(IN_CLOEXEC))
    guard changes >= 0 else { throw Errno(errno) }
    var ends: [CInt] = [-1, -1]
    guard unsafe inotify_add_watch(changes, path, UInt32(IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_DELETE)) >= 0,
      unsafe pipe(&ends) == 0
    else {
      let number = errno
      close(changes)
      throw Errno(number)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.changes = changes
    (wakeRead, wakeWrite) = (ends[0], ends[1])
  }

  deinit {
    close(changes)
    close(wakeRead)
    close(wakeWrite)
  }

  /// Asks the condition at once and after each change, on a thread of its own, until it holds or `stop` was called.
  ///
  /// - Returns: Whether it held.
  @discardableResult
  package func waitUntil(_ isFulfilled: @escaping @Sendable () -> Bool) async throws(Errno) -> Bool {
    try await DedicatedThread.run(name: "test watch") { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !isFulfilled() {
        var sources = [pollfd(fd: changes, events: Int16(POLLIN), revents: 0)]
        sources.append(pollfd(fd: wakeRead, events: Int16(POLLIN), revents: 0))
        guard unsafe poll(&sources, 2, -1) > 0 else { continue }
        if sources[1].revents != 0 { return false }
        // What changed does not matter: the condition looks for itself.
        _ = unsafe read(changes, &buffer, buffer.count)
      }
      return true
    }
  }

  /// Lets those who wait go, now and in future.
  package func stop() {
    var byte: UInt8 = 0
    _ = unsafe write(wakeWrite, &byte, 1)
  }
}
