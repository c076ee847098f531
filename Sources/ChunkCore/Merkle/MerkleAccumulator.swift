/// The Merkle root of chunk IDs that come one after another, in memory that grows with the logarithm of their number.
///
/// Invariant: the leaves so far are cut, from the left, into perfect subtrees of falling size, one for each bit that is
/// set in their number; `subtrees` holds the roots, the largest first. Appending works like adding one in binary: as
/// long as there is a carry, two subtrees of the same height become one.
package struct MerkleAccumulator: ~Copyable, Sendable {
  private var hasher = MerkleHasher()
  private var subtrees: [SHA256Digest] = []

  /// How many leaves the tree has.
  package private(set) var count = 0

  package init() {}

  /// Appends one leaf.
  package mutating func append(_ id: ChunkID) {
    push(hasher.leaf(id), height: 0)
  }

  /// Appends the 2^`height` leaves of a perfect subtree, given by its root.
  ///
  /// - Precondition: The number of leaves so far is a multiple of 2^`height`.
  package mutating func appendSubtree(root: SHA256Digest, height: Int) {
    precondition(count & ((1 << height) - 1) == 0, "a subtree of this height cannot stand here")
    push(root, height: height)
  }

  private mutating func push(_ root: SHA256Digest, height: Int) {
    var merged = root
    var bit = 1 << height
    while count & bit != 0 {
      merged = hasher.node(subtrees.removeLast(), merged)
      bit <<= 1
    }
    subtrees.append(merged)
    count += 1 << height
  }

  /// The root of the tree so far; more may be appended afterwards.
  package var root: SHA256Digest {
    guard var root = subtrees.last else { return Merkle.emptyRoot }
    var hasher = MerkleHasher()
    for left in subtrees.dropLast().reversed() {
      root = hasher.node(left, root)
    }
    return root
  }
}
