internal import CLibCrypto

/// An `EVP_MD_CTX` that computes SHA-256.
///
/// OpenSSL fails here only when its provider lacks SHA-256 or memory is exhausted. Neither can be answered by a caller,
/// so both end the process.
@safe
struct OpenSSLDigestContext: ~Copyable, @unchecked Sendable {
  // Unchecked because a pointer says nothing about threads: this one has a single owner, and OpenSSL ties a context to
  // no thread.
  private let context: OpaquePointer

  init() {
    guard let context = unsafe EVP_MD_CTX_new() else { preconditionFailure("out of memory for a digest context") }
    unsafe self.context = context
    reset()
  }

  deinit {
    unsafe EVP_MD_CTX_free(context)
  }

  mutating func update(_ bytes: Span<UInt8>) {
    // OpenSSL reads `count` bytes and keeps no pointer; an empty span may come with a null address, which it accepts.
    let status = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    precondition(status == 1, "OpenSSL could not update a SHA-256 digest")
  }

  /// The digest; nothing but ``reset()`` may follow.
  mutating func finalize() -> SHA256Digest {
    var output = InlineArray<32, UInt8>(repeating: 0)
    var span = output.mutableSpan
    // A SHA-256 digest is 32 bytes, the size of the buffer; a null length pointer means it is not asked for.
    let status = unsafe span.withUnsafeMutableBufferPointer { unsafe EVP_DigestFinal_ex(context, $0.baseAddress, nil) }
    precondition(status == 1, "OpenSSL could not finish a SHA-256 digest")
    return SHA256Digest(output.span)
  }

  mutating func reset() {
    let status = unsafe EVP_DigestInit_ex2(context, FetchedAlgorithm.sha256.pointer, nil)
    precondition(status == 1, "OpenSSL could not start a SHA-256 digest")
  }
}

/// The algorithm, fetched once: an implicit fetch for every digest takes a lock and costs a tenth of a 4 KiB hash.
@safe
private struct FetchedAlgorithm: @unchecked Sendable {
  // Unchecked because a pointer says nothing about threads: a fetched EVP_MD never changes and is never freed here.
  let pointer: OpaquePointer

  static let sha256: FetchedAlgorithm = {
    guard let pointer = unsafe EVP_MD_fetch(nil, "SHA256", nil) else {
      preconditionFailure("this OpenSSL has no SHA-256")
    }
    return unsafe FetchedAlgorithm(pointer: pointer)
  }()
}
