internal import ChunkCore
internal import ChunkSystem

/// The SHA-256 of a whole file, for the digest that a user or a publisher gave. One stream: it cannot be parallel.
struct WholeFileDigest {
  let file: OpenFile
  let length: UInt64

  /// - Throws: `notTrusted` when the digest is another one.
  func check(_ expected: SHA256Digest, isStopped: () -> Bool) throws(TransferError) {
    var hasher = SHA256Hasher()
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var offset: UInt64 = 0
    do throws(Errno) {
      while offset < length {
        if isStopped() { break }
        var span = buffer.mutableSpan
        let count = try file.descriptor.pread(into: &span, at: offset)
        if count == 0 { break }
        hasher.update(buffer.span.extracting(first: Int(min(UInt64(count), length - offset))))
        offset += UInt64(count)
      }
    } catch {
      throw TransferError(.disk, "the downloaded bytes cannot be read back: \(error).")
    }
    if isStopped() { throw TransferError(.cancelled, "cancelled; what is here is kept.", isRetryable: true) }
    let found = hasher.finalize()
    guard found == expected else {
      throw TransferError(.notTrusted, "the file has the SHA-256 \(found), not \(expected): it is not the one wanted.")
    }
  }
}
