internal import Glibc

extension Directory {
  /// The names in the directory, in the order in which the file system has them; `.` and `..` are left out, and names that are
  /// not UTF-8, which nothing of ours has.
  ///
  /// What is made or removed meanwhile may be there or not.
  package func names() throws(Errno) -> [String] {
    // Its own open file, so that two listings at once do not share a position.
    let again = try descriptor.calls.openDirectory(".", in: descriptor.rawValue).release()
    guard let stream = unsafe fdopendir(again) else {
      let error = Errno.current
      close(again)
      throw error
    }
    // Closes the descriptor too.
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      // The end and a failure differ in nothing but errno.
      var entry: UnsafeMutablePointer<dirent>?
      let isOver = try descriptor.calls.make(.readdir) { () -> CInt in
        errno = 0
        unsafe entry = unsafe readdir(stream)
        return unsafe entry != nil ? 0 : errno == 0 ? 1 : -1
      }
      guard isOver == 0, let entry = unsafe entry else { return names }
      // The entry is valid until the next call, and its name ends with a zero.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(validatingCString: $0) }
      }
      if let name, name != ".", name != ".." { names.append(name) }
    }
  }

  /// Sets the time of the last change to now. Only the owner may.
  package func touch(_ name: String) throws(Errno) {
    _ = try descriptor.calls.make(.utimens) { unsafe utimensat(descriptor.rawValue, name, nil, AT_SYMLINK_NOFOLLOW) }
  }
}
