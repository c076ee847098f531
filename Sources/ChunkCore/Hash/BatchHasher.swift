package enum BatchHasher {
  package static func digests(of storages: [any ChunkStorage], kernel: HashKernel) -> [SHA256Digest] {
    storages.map { SHA256Hasher.hash(unsafe Span(_unsafeElements: $0.sealedBytes.bindMemory(to: UInt8.self))) }
  }
}
