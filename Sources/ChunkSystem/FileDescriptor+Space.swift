internal import CLinuxShims
internal import Glibc

extension FileDescriptor {
  /// Makes the file `length` bytes long: cuts it, or adds a hole.
  package func truncate(to length: UInt64) throws(Errno) {
    let length = try Self.position(length)
    _ = try calls.make(.ftruncate) { ftruncate(rawValue, length) }
  }

  /// Reserves disk blocks for the bytes `[offset, offset + count)`. The length of the file stays, and the reserved bytes
  /// still read, and are still found, as a hole.
  ///
  /// - Throws: ``Errno/noSpace`` when there is not enough room, possibly after some blocks were taken; one that
  ///   ``Errno/meansUnsupported`` where the file system cannot.
  package func allocate(offset: UInt64, count: UInt64) throws(Errno) {
    let (offset, count) = (try Self.position(offset), try Self.position(count))
    _ = try calls.make(.fallocate) { shim_allocate_keep_size(rawValue, offset, count) }
  }

  /// Makes a hole of the bytes `[offset, offset + count)` and gives their blocks back.
  package func punchHole(offset: UInt64, count: UInt64) throws(Errno) {
    let (offset, count) = (try Self.position(offset), try Self.position(count))
    _ = try calls.make(.fallocate) { shim_punch_hole(rawValue, offset, count) }
  }

  /// The first byte at or after `offset` that is not in a hole; `nil` when the rest of the file is one, or there is no
  /// rest. A file system without holes says that all is data.
  package func nextData(from offset: UInt64) throws(Errno) -> UInt64? {
    let offset = try Self.position(offset)
    do throws(Errno) {
      return UInt64(try calls.make(.lseek) { shim_seek_data(rawValue, offset) })
    } catch .noSuchAddress {
      return nil
    }
  }

  /// The first byte at or after `offset` that is in a hole; the end of the file counts as one. `nil` when `offset` lies
  /// beyond the end.
  package func nextHole(from offset: UInt64) throws(Errno) -> UInt64? {
    let offset = try Self.position(offset)
    do throws(Errno) {
      return UInt64(try calls.make(.lseek) { shim_seek_hole(rawValue, offset) })
    } catch .noSuchAddress {
      return nil
    }
  }

  /// Shares `count` bytes of `source` with this file, without copying, where both lie on a file system that can.
  ///
  /// Offsets and count must be multiples of the file system's block size, but a range may end at the end of `source`.
  package func clone(
    from source: borrowing FileDescriptor, offset: UInt64, count: UInt64, to target: UInt64
  ) throws(Errno) {
    let (offset, count, target) = (try Self.position(offset), try Self.position(count), try Self.position(target))
    // Zero stands for "up to the end" in this call.
    guard count > 0 else { return }
    let number = source.rawValue
    _ = try calls.make(.clone) { shim_clone_range(number, offset, count, rawValue, target) }
  }

  /// Copies bytes of `source` inside the kernel.
  ///
  /// - Returns: How many bytes were copied, which may be fewer than `count`; zero at the end of `source`.
  package func copy(
    from source: borrowing FileDescriptor, offset: UInt64, count: Int, to target: UInt64
  ) throws(Errno) -> Int {
    let (offset, target) = (try Self.position(offset, count: count), try Self.position(target, count: count))
    let number = source.rawValue
    return try calls.transfer(.copyFileRange, count: count) { count in
      shim_copy_range(number, offset, rawValue, target, count)
    }
  }

  /// Whether the file system is memory and nothing else: tmpfs or ramfs.
  package func isInMemory() throws(Errno) -> Bool {
    try calls.make(.statfs) { shim_is_in_memory(rawValue) } == 1
  }

  /// How many bytes an unprivileged process may still write to the file system.
  package func freeSpace() throws(Errno) -> UInt64 {
    var result = statvfs()
    _ = try calls.make(.statvfs) { unsafe fstatvfs(rawValue, &result) }
    let (bytes, overflow) = UInt64(result.f_bavail).multipliedReportingOverflow(by: UInt64(result.f_frsize))
    return overflow ? .max : bytes
  }
}
