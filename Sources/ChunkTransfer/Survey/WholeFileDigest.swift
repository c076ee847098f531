internal import ChunkCore
internal import ChunkSystem

/// The SHA-256 of a whole file, made of what is on disk. One stream: it cannot be parallel.
struct WholeFileDigest {
  let file: OpenFile
  let length: UInt64

  /// The digest, where the options want it.
  ///
  /// - Throws: `notTrusted` when it is not the one they expect.
  func settle(_ options: TransferOptions, isStopped: () -> Bool) throws(TransferError) -> SHA256Digest? {
    guard options.sha256 != nil || options.computesSHA256 else { return nil }
    let found = try compute(isStopped)
    if let expected = options.sha256, found != expected {
      throw TransferError(.notTrusted, "the file has the SHA-256 \(found), not \(expected): it is not the one wanted.")
    }
    return found
  }

  private func compute(_ isStopped: () -> Bool) throws(TransferError) -> SHA256Digest {
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
    return hasher.finalize()
  }
}
