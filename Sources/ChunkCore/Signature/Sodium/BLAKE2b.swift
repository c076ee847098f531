internal import CLibSodium

/// One BLAKE2b stream without a key: bytes go in, in pieces of any length, and one digest comes out.
package struct BLAKE2b: ~Copyable, Sendable {
  /// How long the digest is: what a manifest is signed by has 64 bytes, the check of a secret key 32.
  package enum Size: Int, Sendable {
    case bytes32 = 32
    case bytes64 = 64
  }

  private let size: Size
  private let state: BLAKE2bState

  package init(_ size: Size) {
    self.size = size
    state = BLAKE2bState(digestLength: size.rawValue)
  }

  /// Absorbs `bytes`; an empty span changes nothing.
  package mutating func update(_ bytes: Span<UInt8>) {
    // libsodium reads `count` bytes and keeps no pointer; for none it does not look at the address.
    _ = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe crypto_generichash_update(state.pointer, bytes.baseAddress, UInt64(bytes.count))
    }
  }

  /// The digest of everything absorbed, and the end of the stream.
  package consuming func finalize() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: size.rawValue)
    // As many bytes as the array has.
    let status = unsafe crypto_generichash_final(state.pointer, &digest, digest.count)
    precondition(status == 0, "libsodium could not finish a BLAKE2b digest")
    return digest
  }

  /// The digest of `bytes`.
  package static func hash(_ bytes: Span<UInt8>, _ size: Size) -> [UInt8] {
    var stream = BLAKE2b(size)
    stream.update(bytes)
    return stream.finalize()
  }
}

/// What owns the state, which libsodium wants at an address that is a multiple of 64.
///
/// Not private, though nobody else uses it: in release builds other modules destroy a ``BLAKE2b`` in place, and then need
/// to be able to name what is in it.
@safe
package struct BLAKE2bState: ~Copyable, @unchecked Sendable {
  // Unchecked because a pointer says nothing about threads: this one has a single owner, and libsodium ties a state to
  // no thread.
  private let memory: UnsafeMutableRawPointer

  /// The state as the importer has it: Swift does not know types of this alignment.
  var pointer: OpaquePointer { unsafe OpaquePointer(memory) }

  init(digestLength: Int) {
    Sodium.prepare()
    // As large and aligned as libsodium asks for, and this value's alone.
    unsafe memory = .allocate(byteCount: crypto_generichash_statebytes(), alignment: 64)
    let status = unsafe crypto_generichash_init(pointer, nil, 0, digestLength)
    precondition(status == 0, "libsodium could not start a BLAKE2b digest")
  }

  deinit {
    unsafe memory.deallocate()
  }
}
