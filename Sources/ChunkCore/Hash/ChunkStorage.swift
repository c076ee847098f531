/// Memory that holds the bytes of one chunk, complete and never written to again.
///
/// A conforming type vouches for three things: the bytes stay where they are as long as the object lives, they are
/// initialized, and nobody writes to them once they are sealed. Only then are they hashed, so that what was verified is
/// what is stored.
package protocol ChunkStorage: AnyObject, Sendable {
  /// The chunk's bytes. To be used only while the object is kept alive; ``withSealedBytes(_:)`` sees to that.
  var sealedBytes: UnsafeRawBufferPointer { get }
}

extension ChunkStorage {
  /// Lends the chunk's bytes to `body`.
  package func withSealedBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // `self` outlives the call below, and with it the bytes.
    let bytes = unsafe sealedBytes
    defer { extendLifetime(self) }
    return try body(unsafe Span(_unsafeBytes: bytes))
  }
}
