/// Leaf and node hashes with one hash context and one input buffer for all of them: inputs are 33 and 65 bytes, where
/// setting up costs more than hashing.
struct MerkleHasher: ~Copyable, Sendable {
  private var hasher = SHA256Hasher()
  // The first byte of either stays what it is here: the domain of RFC 9162, 0 for a leaf and 1 for a node.
  private var leafInput = InlineArray<33, UInt8>(repeating: 0)
  private var nodeInput = InlineArray<65, UInt8>(repeating: 1)

  mutating func leaf(_ id: ChunkID) -> SHA256Digest {
    var bytes = leafInput.mutableSpan
    id.digest.write(into: &bytes, at: 1)
    hasher.update(leafInput.span)
    return hasher.finalizeAndReset()
  }

  mutating func node(_ left: SHA256Digest, _ right: SHA256Digest) -> SHA256Digest {
    var bytes = nodeInput.mutableSpan
    left.write(into: &bytes, at: 1)
    right.write(into: &bytes, at: 33)
    hasher.update(nodeInput.span)
    return hasher.finalizeAndReset()
  }

  mutating func leaves(_ ids: Span<ChunkID>) -> [SHA256Digest] {
    var hashes: [SHA256Digest] = []
    hashes.reserveCapacity(ids.count)
    for index in ids.indices {
      hashes.append(leaf(ids[index]))
    }
    return hashes
  }

  /// Replaces the hashes of one level of the tree by those of the next. A hash without a neighbour moves up as it is,
  /// which is where RFC 9162, splitting at the largest power of two, puts it as well.
  mutating func ascend(_ level: inout [SHA256Digest]) {
    var written = 0
    for left in stride(from: 0, to: level.count, by: 2) {
      level[written] = left + 1 < level.count ? node(level[left], level[left + 1]) : level[left]
      written += 1
    }
    level.removeLast(level.count - written)
  }

  /// The root above `level`, which is used up.
  mutating func root(reducing level: inout [SHA256Digest]) -> SHA256Digest {
    while level.count > 1 {
      ascend(&level)
    }
    return level.first ?? Merkle.emptyRoot
  }

  /// The hashes beside the way from `position` in `level` up to the root, the lowest first; `level` is used up.
  mutating func path(from position: Int, reducing level: inout [SHA256Digest]) -> [SHA256Digest] {
    var position = position
    var path: [SHA256Digest] = []
    while level.count > 1 {
      let sibling = position ^ 1
      if sibling < level.count { path.append(level[sibling]) }
      ascend(&level)
      position >>= 1
    }
    return path
  }

  /// The root over `count` chunks of zeros, all of `chunkSize` but the last, at most 1024. Every level is one hash repeated,
  /// with another one at its end; so it takes two dozen hashes.
  mutating func zeroRoot(count: Int, chunkSize: Int, lastLength: Int) -> SHA256Digest {
    var inner = leaf(ZeroChunk.id(length: chunkSize))
    var last = leaf(ZeroChunk.id(length: lastLength))
    var count = count
    while count > 1 {
      last = count % 2 == 0 ? node(inner, last) : last
      inner = node(inner, inner)
      count = (count + 1) / 2
    }
    return last
  }
}
