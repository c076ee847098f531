package import ChunkSystem
internal import Glibc

/// Whole files, for tests: read, write, damage. Through plain calls and not through the code under test.
package enum TestFile {
  /// All bytes of a file.
  package static func read(_ path: String) throws(Errno) -> [UInt8] {
    let file = try open(path, O_RDONLY)
    defer { close(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    while true {
      let count = unsafe Glibc.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw Errno(errno) }
      guard count > 0 else { return result }
      result += buffer[..<count]
    }
  }

  /// Up to `count` bytes from the middle of a file; fewer where it ends before.
  package static func read(_ path: String, at offset: UInt64, count: Int) throws(Errno) -> [UInt8] {
    let file = try open(path, O_RDONLY)
    defer { close(file) }
    var buffer = [UInt8](repeating: 0, count: count)
    let found = unsafe pread(file, &buffer, count, off_t(offset))
    guard found >= 0 else { throw Errno(errno) }
    return Array(buffer[..<found])
  }

  /// Makes a file of these bytes, in the place of what was there.
  package static func write(_ bytes: [UInt8], to path: String) throws(Errno) {
    let file = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
    defer { close(file) }
    try put(bytes, at: 0, into: file)
  }

  /// Overwrites bytes in the middle of a file, or makes it longer.
  package static func overwrite(_ path: String, at offset: UInt64, with bytes: [UInt8]) throws(Errno) {
    let file = try open(path, O_WRONLY)
    defer { close(file) }
    try put(bytes, at: offset, into: file)
  }

  /// Turns the lowest bit of the byte at each offset.
  package static func flip(_ path: String, at offsets: UInt64...) throws(Errno) {
    let file = try open(path, O_RDWR)
    defer { close(file) }
    for offset in offsets {
      var byte: UInt8 = 0
      guard unsafe pread(file, &byte, 1, off_t(offset)) == 1 else { throw Errno(errno) }
      try put([byte ^ 1], at: offset, into: file)
    }
  }

  /// Cuts a file, or makes it longer by a hole.
  package static func truncate(_ path: String, to length: UInt64) throws(Errno) {
    guard unsafe Glibc.truncate(path, off_t(length)) == 0 else { throw Errno(errno) }
  }

  /// Removes a name that is no directory.
  package static func remove(_ path: String) throws(Errno) {
    guard unsafe unlink(path) == 0 else { throw Errno(errno) }
  }

  /// Whether something has that name, be it a dangling link.
  package static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The length of a file.
  package static func size(_ path: String) throws(Errno) -> UInt64 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Errno(errno) }
    return UInt64(status.st_size)
  }

  /// How many bytes of a file hold data, as far as the file system tells holes apart: what was reserved and not written
  /// does not count.
  package static func dataBytes(_ path: String) throws(Errno) -> UInt64 {
    // SEEK_DATA and SEEK_HOLE, which are declared under _GNU_SOURCE only; numbers of the Linux ABI.
    let (seekData, seekHole) = (CInt(3), CInt(4))
    let file = try open(path, O_RDONLY)
    defer { close(file) }
    var total: UInt64 = 0
    var offset = lseek(file, 0, seekData)
    while offset >= 0 {
      let hole = lseek(file, offset, seekHole)
      guard hole > offset else { break }
      total += UInt64(hole - offset)
      offset = lseek(file, hole, seekData)
    }
    return total
  }

  /// Bytes of disk a file takes, what was reserved included.
  package static func allocatedBytes(_ path: String) throws(Errno) -> UInt64 {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { throw Errno(errno) }
    return UInt64(status.st_blocks) * 512
  }

  /// The names in a directory, sorted.
  package static func names(in directory: String) throws(Errno) -> [String] {
    guard let stream = unsafe opendir(directory) else { throw Errno(errno) }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      // The entry is valid until the next call, and its name ends with a zero.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Makes a directory.
  package static func makeDirectory(_ path: String) throws(Errno) {
    guard unsafe mkdir(path, 0o755) == 0 else { throw Errno(errno) }
  }

  /// Makes a symbolic link.
  package static func link(_ path: String, to target: String) throws(Errno) {
    guard unsafe symlink(target, path) == 0 else { throw Errno(errno) }
  }

  private static func open(_ path: String, _ flags: CInt) throws(Errno) -> CInt {
    let file = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Errno(errno) }
    return file
  }

  private static func put(_ bytes: [UInt8], at offset: UInt64, into file: CInt) throws(Errno) {
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { raw in
        // Inside the array: `done` is less than its count.
        unsafe pwrite(file, raw.baseAddress.map { unsafe $0 + done }, raw.count - done, off_t(offset) + off_t(done))
      }
      guard count > 0 else { throw Errno(errno) }
      done += count
    }
  }
}
