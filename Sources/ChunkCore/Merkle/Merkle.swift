/// The hashes of the Merkle tree of RFC 9162 (section 2.1.1), whose leaf data here are the 32-byte chunk IDs.
///
/// A leaf is hashed behind the byte 0 and a node behind the byte 1, so that neither can pass for the other.
package enum Merkle {
  /// The root of the tree without leaves: the SHA-256 of nothing.
  package static let emptyRoot = SHA256Hasher().finalize()

  /// The hash of the leaf that holds a chunk ID.
  package static func leafHash(_ id: ChunkID) -> SHA256Digest {
    var hasher = MerkleHasher()
    return hasher.leaf(id)
  }

  /// The hash of the node above `left` and `right`.
  package static func nodeHash(_ left: SHA256Digest, _ right: SHA256Digest) -> SHA256Digest {
    var hasher = MerkleHasher()
    return hasher.node(left, right)
  }

  /// The root of the tree over chunk IDs, ``emptyRoot`` when there are none. The caller holds all IDs; to make a root
  /// from IDs as they come use ``MerkleAccumulator``.
  package static func root(of ids: Span<ChunkID>) -> SHA256Digest {
    var hasher = MerkleHasher()
    var level = hasher.leaves(ids)
    return hasher.root(reducing: &level)
  }
}
