import ChunkCore
import Testing

@Suite struct MerkleTests {
  private struct Vectors: Decodable {
    let external: External
    let leafSeed: String
    let roots: [Root]
    let proofs: [Proof]
    let rejected: [Rejected]

    struct External: Decodable {
      let leaves: [HexBytes]
      let roots: [String]
    }
    struct Root: Decodable {
      let size: Int
      let root: String
      let groupRoots: [String]?
    }
    struct Proof: Decodable {
      let size: Int
      let index: Int
      let path: [String]
    }
    struct Rejected: Decodable {
      let name: String
      let size: Int
      let index: Int
      let id: String
      let path: [String]
      let root: String
    }

    func ids(_ count: Int) -> [ChunkID] {
      (0..<count).map { ChunkID(VectorContent.block($0, seed: leafSeed)) }
    }
  }

  private let vectors: Vectors

  init() throws {
    vectors = try SpecVectors.load("merkle.json", as: Vectors.self)
  }

  @Test func agreesOnRoots() {
    #expect(!vectors.roots.isEmpty)
    for vector in vectors.roots {
      let ids = vectors.ids(vector.size)
      let groupRoots = MerkleGroups.groupRoots(ids: ids.span)
      #expect(Merkle.root(of: ids.span).hex == vector.root)
      #expect(MerkleGroups.root(ofGroupRoots: groupRoots).hex == vector.root)
      if let expected = vector.groupRoots { #expect(groupRoots.map(\.hex) == expected) }
    }
  }

  @Test func agreesWithTheRootsOfCertificateTransparency() {
    let leaves = vectors.external.leaves.map { leaf in
      // Their leaves are of any length, which no chunk ID is.
      SHA256Hasher.hash(([0] + leaf.bytes).span)
    }
    #expect(vectors.external.roots.count == leaves.count + 1)
    for (size, root) in vectors.external.roots.enumerated() {
      #expect(MerkleGroups.root(ofGroupRoots: Array(leaves.prefix(size))).hex == root)
      var accumulator = MerkleAccumulator()
      for leaf in leaves.prefix(size) { accumulator.appendSubtree(root: leaf, height: 0) }
      #expect(accumulator.root.hex == root)
    }
  }

  @Test func accumulatesTheSameRoots() {
    var accumulator = MerkleAccumulator()
    let ids = vectors.ids(2050)
    for (count, id) in ids.enumerated() {
      #expect(accumulator.count == count)
      if count < 70 || count % 97 == 0 || (1020...1030).contains(count) {
        #expect(accumulator.root == Merkle.root(of: ids.span.extracting(first: count)))
      }
      accumulator.append(id)
    }
  }

  @Test func takesWholeSubtrees() {
    let ids = vectors.ids(21)
    var accumulator = MerkleAccumulator()
    accumulator.appendSubtree(root: Merkle.root(of: ids.span.extracting(0..<8)), height: 3)
    accumulator.appendSubtree(root: Merkle.root(of: ids.span.extracting(8..<16)), height: 3)
    accumulator.appendSubtree(root: Merkle.root(of: ids.span.extracting(16..<20)), height: 2)
    accumulator.append(ids[20])
    #expect(accumulator.count == 21)
    #expect(accumulator.root == Merkle.root(of: ids.span))
  }

  @Test func hashesLeavesAndNodesApart() {
    let ids = vectors.ids(2)
    let leaves = ids.map(Merkle.leafHash)
    #expect(leaves[0] == SHA256Hasher.hash(([0] + ids[0].digest.bytes).span))
    #expect(Merkle.nodeHash(leaves[0], leaves[1]) == SHA256Hasher.hash(([1] + leaves[0].bytes + leaves[1].bytes).span))
    #expect(Merkle.root(of: ids.span) == Merkle.nodeHash(leaves[0], leaves[1]))
    #expect(Merkle.root(of: ids.span.extracting(first: 0)) == Merkle.emptyRoot)
  }

  @Test func makesAndAcceptsTheProofs() throws {
    #expect(!vectors.proofs.isEmpty)
    let roots = Dictionary(uniqueKeysWithValues: vectors.roots.map { ($0.size, $0.root) })
    for vector in vectors.proofs {
      let ids = vectors.ids(vector.size)
      let root = try #require(roots[vector.size].flatMap(SHA256Digest.init(hex:)))
      let proof = proof(of: vector.index, in: ids)
      #expect(proof.path.map(\.hex) == vector.path)
      #expect(proof.verify(id: ids[vector.index], root: root))
    }
  }

  @Test func refusesWrongProofs() throws {
    #expect(!vectors.rejected.isEmpty)
    for vector in vectors.rejected {
      let path = try vector.path.map { try #require(SHA256Digest(hex: $0)) }
      let id = try #require(ChunkID(hex: vector.id))
      let root = try #require(SHA256Digest(hex: vector.root))
      let proof =
        vector.index < 0 ? nil : MerkleProof(index: ChunkIndex(vector.index), treeSize: vector.size, path: path)
      #expect(proof?.verify(id: id, root: root) != true, "\(vector.name)")
    }
  }

  @Test func aProofHoldsForItsPlaceOnly() throws {
    for size in 1...33 {
      let ids = vectors.ids(size)
      let root = Merkle.root(of: ids.span)
      for index in 0..<size {
        let proof = proof(of: index, in: ids)
        #expect(proof.verify(id: ids[index], root: root))
        #expect(!proof.verify(id: ids[(index + 1) % size], root: root) || size == 1)
        #expect(!proof.verify(id: ids[index], root: Merkle.emptyRoot))
        for place in 0..<size where place != index {
          let moved = MerkleProof(index: ChunkIndex(place), treeSize: size, path: proof.path)
          #expect(moved?.verify(id: ids[index], root: root) != true)
        }
        for position in proof.path.indices {
          var path = proof.path
          path[position] = Merkle.emptyRoot
          let changed = MerkleProof(index: ChunkIndex(index), treeSize: size, path: path)
          #expect(changed?.verify(id: ids[index], root: root) == false)
        }
      }
    }
  }

  @Test func aPathOfAnotherLengthIsNoProof() {
    for size in 1...33 {
      let ids = vectors.ids(size)
      for index in 0..<size {
        let path = proof(of: index, in: ids).path
        #expect(MerkleProof(index: ChunkIndex(index), treeSize: size, path: path + [Merkle.emptyRoot]) == nil)
        if !path.isEmpty {
          #expect(MerkleProof(index: ChunkIndex(index), treeSize: size, path: Array(path.dropLast())) == nil)
        }
      }
      #expect(MerkleProof(index: ChunkIndex(size), treeSize: size, path: []) == nil)
    }
    let most = 1 << 24
    let path = Array(repeating: Merkle.emptyRoot, count: 24)
    #expect(MerkleProof(index: ChunkIndex(most - 1), treeSize: most, path: path) != nil)
    #expect(MerkleProof(index: ChunkIndex(most), treeSize: most + 1, path: []) == nil)
    #expect(MerkleProof(index: ChunkIndex(0), treeSize: Int.max, path: path) == nil)
    #expect(MerkleProof(index: ChunkIndex(0), treeSize: 0, path: []) == nil)
    #expect(MerkleProof(index: ChunkIndex(0), treeSize: -1, path: []) == nil)
  }

  private func proof(of index: Int, in ids: [ChunkID]) -> MerkleProof {
    let size = ChunkGeometry.chunksPerGroup
    let first = index / size * size
    return MerkleProof.make(
      index: ChunkIndex(index), treeSize: ids.count,
      page: ids.span.extracting(first..<min(first + size, ids.count)),
      groupRoots: MerkleGroups.groupRoots(ids: ids.span))
  }
}
