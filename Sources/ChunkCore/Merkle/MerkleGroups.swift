/// The two halves of the tree: below, one subtree for each group of 1024 chunks; above, the tree over their roots.
///
/// RFC 9162 splits at powers of two, so each aligned run of 1024 leaves is a subtree of its own, and the last,
/// incomplete run is one too. That is what lets a reader check group roots first and then each page of IDs alone.
package enum MerkleGroups {
  /// The root of each run of 1024 IDs, none when there are no IDs.
  package static func groupRoots(ids: Span<ChunkID>) -> [SHA256Digest] {
    let size = ChunkGeometry.chunksPerGroup
    var hasher = MerkleHasher()
    var roots: [SHA256Digest] = []
    roots.reserveCapacity((ids.count + size - 1) / size)
    for start in stride(from: 0, to: ids.count, by: size) {
      var level = hasher.leaves(ids.extracting(start..<min(start + size, ids.count)))
      roots.append(hasher.root(reducing: &level))
    }
    return roots
  }

  /// The root of the whole tree from the roots of its groups, ``Merkle/emptyRoot`` when there are none.
  package static func root(ofGroupRoots roots: [SHA256Digest]) -> SHA256Digest {
    var hasher = MerkleHasher()
    var level = roots
    return hasher.root(reducing: &level)
  }
}
