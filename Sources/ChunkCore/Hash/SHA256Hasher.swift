/// One SHA-256 stream: bytes go in with ``update(_:)``, in pieces of any length, and one digest comes out.
///
/// This is for single streams and short inputs. Many chunks at once are faster through `BatchHasher` and `LaneHasher`.
/// A hasher may move between threads but is used by one at a time, which its single owner guarantees.
package struct SHA256Hasher: ~Copyable, Sendable {
  private var context = OpenSSLDigestContext()

  package init() {}

  /// Absorbs `bytes`; an empty span changes nothing.
  package mutating func update(_ bytes: Span<UInt8>) {
    context.update(bytes)
  }

  /// The digest of everything absorbed, and the end of this hasher.
  package consuming func finalize() -> SHA256Digest {
    context.finalize()
  }

  /// The digest of everything absorbed; the hasher then starts anew, which costs less than making another.
  package mutating func finalizeAndReset() -> SHA256Digest {
    let digest = context.finalize()
    context.reset()
    return digest
  }

  /// The digest of `bytes`.
  package static func hash(_ bytes: Span<UInt8>) -> SHA256Digest {
    var hasher = SHA256Hasher()
    hasher.update(bytes)
    return hasher.finalize()
  }
}
