internal import ChunkCore
package import ChunkSystem

/// Reads a file that is to be hashed: from the page cache what is in it, and past it where a long file is not.
///
/// Reading a gigabyte through the cache that is not in it takes the kernel longer than hashing it takes us
/// (`Spec/decisions/0011-reading-past-the-cache.md` has the figures), and drives out what other programs have there. Reads past it
/// need memory, offset and length aligned, which the strips of a scan are; what the file system refuses is read through the
/// cache. Any thread may call anything.
package final class FileReader: Sendable {
  /// The file, for everything but reading.
  let file: OpenFile
  private let direct: Lock<OpenFile?>

  /// Reads that take what there is from the page cache and leave there what comes from the medium, for bytes that will soon be
  /// read again.
  package init(_ file: OpenFile) {
    self.file = file
    direct = Lock(nil)
  }

  /// Reads that go past the page cache if the file is long and most of it is not there. That is looked up at 64 places once, here.
  package init(pastCache file: OpenFile, shortest: UInt64 = shortestPastCache) {
    self.file = file
    direct = Lock(Self.openDirect(file.descriptor, shortest: shortest))
  }

  /// From this length on the place in the page cache is worth more to others.
  package static let shortestPastCache: UInt64 = 64 << 20

  /// Whether reads wait for the medium, and hashing needs more threads than there are processors to keep these busy.
  package var isPastCache: Bool { direct.withLock { $0 != nil } }

  /// How many threads hash what is read here: past the cache, where each waits for its reads, more than there are processors if these
  /// are few, and no more than a medium is worth.
  package var threadCount: Int {
    isPastCache ? min(DedicatedThread.processorCount * 2, 8) : DedicatedThread.processorCount
  }

  private static func openDirect(_ file: borrowing FileDescriptor, shortest: UInt64) -> OpenFile? {
    do throws(Errno) {
      let length = try file.status().size
      guard length >= shortest, try !file.isInMemory(), try !isCached(file, length: length) else { return nil }
      let again = OpenFile(try file.openedAgain())
      try again.descriptor.setDirect(true)
      return again
    } catch {
      // Through the cache, then.
      return nil
    }
  }

  private static func isCached(_ file: borrowing FileDescriptor, length: UInt64) throws(Errno) -> Bool {
    let window: UInt64 = 1 << 20
    let places = min(64, (length + window - 1) / window)
    var cached: UInt64 = 0
    for place in 0..<places {
      let offset = length / window * place / places * window
      if try file.isCached(offset: offset, count: Int(min(window, length - offset))) { cached += 1 }
    }
    return cached * 2 > places
  }

  /// Reads `count` bytes of the file from `offset` on to the place in the buffer.
  ///
  /// - Returns: How many bytes were read: fewer than `count` only at the end of the file.
  /// - Precondition: The buffer has room for `count` bytes from there, rounded up to ``AlignedBuffer/alignment``.
  @unsafe
  func read(_ count: Int, at offset: UInt64, into buffer: AlignedBuffer, at place: Int) throws(Errno) -> Int {
    let alignment = AlignedBuffer.alignment
    let rounded = (count + alignment - 1) / alignment * alignment
    precondition(count >= 0 && place >= 0 && place + rounded <= buffer.capacity, "the bytes fit into the buffer")
    var done = 0
    if place % alignment == 0, offset % UInt64(alignment) == 0, let direct = direct.withLock({ $0 }) {
      do throws(Errno) {
        // Inside the buffer by the precondition. The file may have more than was asked for.
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[place..<place + rounded])
        done = min(count, try unsafe direct.descriptor.preadOnce(into: target, at: offset))
      } catch let error where error.meansUnsupported {
        self.direct.withLock { $0 = nil }
      }
    }
    if done == count { return count }
    // What remains is the end of the file, or what the kernel did not give at once; that need not be aligned any more.
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.bytes[place + done..<place + count])
    return done + (try unsafe file.descriptor.pread(into: target, at: offset + UInt64(done)))
  }
}
