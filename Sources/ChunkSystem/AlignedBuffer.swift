internal import Glibc

/// Memory that starts at a page boundary, as reads and writes past the page cache need it. Its content is not zeroed.
// Sendable by hand, and safe: the pointer never changes, and all that gives access to the bytes is marked unsafe, as whose
// turn it is to write is settled by the owner.
@safe
package final class AlignedBuffer: @unchecked Sendable {
  package static let alignment = 4096

  /// The size in bytes, a multiple of ``alignment``.
  package var capacity: Int { unsafe memory.count }

  private let memory: UnsafeMutableRawBufferPointer

  /// A buffer of at least `capacity` bytes.
  package init(capacity: Int) {
    let size = max(1, (capacity + Self.alignment - 1) / Self.alignment) * Self.alignment
    unsafe memory = .allocate(byteCount: size, alignment: Self.alignment)
  }

  deinit {
    unsafe memory.deallocate()
  }

  /// The bytes, valid as long as the buffer is. Nobody may read while someone writes.
  @unsafe package var bytes: UnsafeMutableRawBufferPointer { unsafe memory }

  /// Lends the bytes to be written. Until it returns, nobody else may read or write them.
  @unsafe
  package func withMutableBytes<Result, Failure: Error>(
    _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // The memory holds nothing but bytes, for its whole life.
    var span = unsafe MutableSpan(_unsafeElements: memory.assumingMemoryBound(to: UInt8.self))
    return try body(&span)
  }

  /// Lends the bytes to be read. Until it returns, nobody may write them.
  @unsafe
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(memory.assumingMemoryBound(to: UInt8.self))))
  }
}
