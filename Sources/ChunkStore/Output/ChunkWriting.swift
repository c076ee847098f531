internal import ChunkSystem

/// How chunks get into a file: past the page cache where that pays, else through it with the kernel writing behind.
///
/// Writing a large new file is the dearest part of a fast download, and most of that is pages of the cache that are made,
/// filled and thrown away again (`Spec/decisions/0005-writing-past-the-cache.md` has the figures). Going past the cache needs memory,
/// offset and length aligned, which chunks are but for the last one; not every file system can, and one that says it can
/// may still refuse. Then the chunk is written through the cache, and so is everything after it.
///
/// Any thread may call anything.
final class ChunkWriting: Sendable {
  private let buffered: OpenFile
  private let direct = Lock<OpenFile?>(nil)
  /// Bytes that went through the cache since the kernel was last told to write.
  private let unwritten = Lock(0)

  /// So much is worth a call that has the kernel begin to write.
  private static let writebackInterval = 16 << 20

  init(buffered: OpenFile) {
    self.buffered = buffered
  }

  /// Goes past the cache from now on, through `file`: the same file, opened once more.
  func goPastCache(through file: OpenFile) {
    direct.withLock { $0 = file }
  }

  /// Writes the pieces one behind the other.
  ///
  /// - Safety: The pieces must be valid, and written by nobody, until this returns.
  @unsafe
  func write(_ pieces: [UnsafeRawBufferPointer], at offset: UInt64) throws(Errno) {
    let isAligned = unsafe pieces.allSatisfy { piece in
      piece.count % AlignedBuffer.alignment == 0 && Int(bitPattern: piece.baseAddress) % AlignedBuffer.alignment == 0
    }
    if isAligned, offset % UInt64(AlignedBuffer.alignment) == 0, let direct = direct.withLock({ $0 }) {
      do throws(Errno) {
        return try unsafe Self.write(pieces, to: direct, at: offset)
      } catch let error where error.meansUnsupported {
        self.direct.withLock { $0 = nil }
      }
    }
    try unsafe Self.write(pieces, to: buffered, at: offset)
    writeBehind(unsafe pieces.reduce(0) { $0 + $1.count })
  }

  private static func write(
    _ pieces: [UnsafeRawBufferPointer], to file: OpenFile, at offset: UInt64
  ) throws(Errno) {
    if unsafe pieces.count == 1 {
      try unsafe file.descriptor.pwrite(pieces[0], at: offset)
    } else {
      try unsafe file.descriptor.pwritev(pieces, at: offset)
    }
  }

  private func writeBehind(_ count: Int) {
    let isDue = unwritten.withLock { unwritten in
      unwritten += count
      guard unwritten >= Self.writebackInterval else { return false }
      unwritten = 0
      return true
    }
    guard isDue else { return }
    // It only saves time later. What cannot be written shows when the file is made durable.
    do throws(Errno) { try buffered.descriptor.startWriteback() } catch {}
  }
}

extension PartialFile {
  /// From this length on writing past the page cache wins clearly, and a file that long is seldom read again at once.
  package static let shortestPastCache: UInt64 = 64 << 20

  /// Has chunks written past the page cache, for a file that will be `length` bytes long, where that pays and can be had.
  package func writePastCache(length: UInt64) {
    guard length >= Self.shortestPastCache else { return }
    do throws(Errno) {
      if try file.descriptor.isInMemory() { return }
      let mode = OpenMode(.readWrite, followsLinks: false, waits: false)
      let again = OpenFile(try directory.directory.open(name, mode))
      guard try again.descriptor.status().identity == file.descriptor.status().identity else { return }
      try again.descriptor.setDirect(true)
      writing.goPastCache(through: again)
    } catch {
      // Through the cache, then.
    }
  }
}
