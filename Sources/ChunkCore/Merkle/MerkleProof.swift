/// Evidence that a chunk ID stands at a place of the tree with a known root: the inclusion proof of RFC 9162, section
/// 2.1.3.
///
/// A value that exists has a path of the right length for its place; whether it leads to the root is what
/// ``verify(id:root:)`` tells.
public struct MerkleProof: Hashable, Sendable {
  /// The place of the chunk.
  public let index: ChunkIndex
  /// How many leaves the tree has.
  public let treeSize: Int
  /// The hashes beside the way from the leaf up to the root, the lowest first. At most 24.
  public let path: [SHA256Digest]

  /// A proof as it was received.
  ///
  /// - Returns: `nil` when the tree has more than 2^24 leaves or none at `index`, or when the path of that leaf has
  ///   another length.
  public init?(index: ChunkIndex, treeSize: Int, path: [SHA256Digest]) {
    guard treeSize <= ChunkGeometry.maximumChunkCount, index.rawValue < treeSize,
      path.count == Self.pathLength(index: index.rawValue, treeSize: treeSize)
    else { return nil }
    self.index = index
    self.treeSize = treeSize
    self.path = path
  }

  /// Whether `id` stands at ``index`` in the tree of ``treeSize`` leaves whose root is `root`. At most 25 hashes.
  public func verify(id: ChunkID, root: SHA256Digest) -> Bool {
    var hasher = MerkleHasher()
    var hash = hasher.leaf(id)
    var position = index.rawValue
    var last = treeSize - 1
    for sibling in path {
      // A level where the subtree has no neighbour adds nothing to the path. This ends: the path has exactly as many
      // hashes as there are levels with one, so for each hash such a level is still ahead.
      while position == last, position & 1 == 0 {
        position >>= 1
        last >>= 1
      }
      hash = position & 1 == 1 ? hasher.node(sibling, hash) : hasher.node(hash, sibling)
      position >>= 1
      last >>= 1
    }
    return hash == root
  }

  private static func pathLength(index: Int, treeSize: Int) -> Int {
    var length = 0
    var position = index
    var last = treeSize - 1
    while last > 0 {
      if position & 1 == 1 || position < last { length += 1 }
      position >>= 1
      last >>= 1
    }
    return length
  }
}

extension MerkleProof {
  /// The proof for a chunk from the page of IDs that holds it and the roots of all groups. About 2000 hashes, and one
  /// more for each group.
  ///
  /// - Precondition: `page` holds the IDs of the chunk's group, all of them, in a tree of `treeSize` leaves with
  ///   `groupRoots`.
  package static func make(
    index: ChunkIndex, treeSize: Int, page: Span<ChunkID>, groupRoots: [SHA256Digest]
  ) -> MerkleProof {
    let size = ChunkGeometry.chunksPerGroup
    var hasher = MerkleHasher()
    var leaves = hasher.leaves(page)
    var roots = groupRoots
    let below = hasher.path(from: index.rawValue % size, reducing: &leaves)
    let above = hasher.path(from: index.rawValue / size, reducing: &roots)
    guard let proof = MerkleProof(index: index, treeSize: treeSize, path: below + above) else {
      preconditionFailure("the page and the roots do not belong to a tree of this size")
    }
    return proof
  }
}
