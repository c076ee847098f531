internal import ChunkCore
package import ChunkSystem

/// The bytes of one chunk on their way from the network to the disk.
///
/// It is filled by one thread at a time, then sealed, and from then on never written again: so what was hashed is what gets
/// written. Its memory goes back to the pool when the last reference goes, and not before; nobody can read bytes that are
/// another chunk's by now.
// Sendable by hand, and safe: while it is filled it belongs to one thread, which hands it on through a queue (that is when
// the fields become visible to the next thread), and a sealed one is only read.
@safe
package final class ChunkBuffer: ChunkStorage, @unchecked Sendable {
  /// The length of the chunk the buffer is filled with.
  package private(set) var length: Int
  /// How many bytes of it have arrived.
  package private(set) var filled = 0
  /// Whether it can be hashed, and no longer be written.
  package private(set) var isSealed = false

  private let memory: AlignedBuffer
  private let pool: BufferPool

  /// Lends `memory` of the pool until the buffer goes.
  init(memory: AlignedBuffer, length: Int, pool: BufferPool) {
    self.memory = memory
    self.length = length
    self.pool = pool
  }

  deinit {
    pool.takeBack(memory)
  }

  /// How many bytes a chunk may have to fit.
  package var capacity: Int { memory.capacity }

  /// How many bytes are missing.
  package var missing: Int { length - filled }

  /// Starts over, for a chunk of `length` bytes.
  ///
  /// - Precondition: It is not sealed, and `length` is at most ``capacity``.
  package func begin(length: Int) {
    precondition(!isSealed, "a sealed buffer is not written")
    precondition((0...capacity).contains(length), "the chunk does not fit")
    self.length = length
    filled = 0
  }

  /// Copies as many of the bytes as are missing.
  ///
  /// - Returns: How many were taken, from the front.
  /// - Precondition: It is not sealed.
  package func append(_ bytes: Span<UInt8>) -> Int {
    precondition(!isSealed, "a sealed buffer is not written")
    let count = min(bytes.count, missing)
    if count == 0 { return 0 }
    // Inside the memory, as `filled + count` is at most `length`.
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[filled..<filled + count])
    unsafe bytes.extracting(first: count).withUnsafeBytes { source in
      unsafe target.copyMemory(from: source)
    }
    filled += count
    return count
  }

  /// Reads as many bytes as are missing from a file.
  ///
  /// - Returns: Whether that completed the chunk; the file may end before.
  /// - Precondition: It is not sealed.
  package func fill(from file: borrowing FileDescriptor, at offset: UInt64) throws(Errno) -> Bool {
    precondition(!isSealed, "a sealed buffer is not written")
    // Inside the memory, as `length` is at most the capacity.
    let target = unsafe UnsafeMutableRawBufferPointer(rebasing: memory.bytes[filled..<length])
    filled += try unsafe file.pread(into: target, at: offset)
    return missing == 0
  }

  /// Ends the filling. What is there by then is the chunk.
  package func seal() {
    isSealed = true
  }

  /// Has the whole chunk filled in at once.
  ///
  /// - Parameter body: Gets as many bytes as the chunk has, which are whatever was there before, and says whether it has written
  ///   all of them.
  /// - Returns: What `body` said. If that was no, nothing is filled.
  /// - Precondition: It is not sealed.
  package func fill(_ body: (inout MutableSpan<UInt8>) -> Bool) -> Bool {
    precondition(!isSealed, "a sealed buffer is not written")
    // The memory is this object's own, and `length` is at most its capacity.
    var chunk = unsafe MutableSpan<UInt8>(
      _unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: memory.bytes[..<length]))
    let isFilled = body(&chunk)
    filled = isFilled ? length : 0
    return isFilled
  }

  /// The bytes that have arrived.
  ///
  /// - Precondition: It is sealed.
  package var sealedBytes: UnsafeRawBufferPointer {
    precondition(isSealed, "only a sealed buffer is read")
    return unsafe UnsafeRawBufferPointer(rebasing: memory.bytes[..<filled])
  }
}
