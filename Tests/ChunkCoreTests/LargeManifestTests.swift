import ChunkCore
import Testing

/// The largest file a manifest can describe, of which nothing but the beginning is ever made.
@Suite struct LargeManifestTests {
  private static let lastPage = (0..<1024).map { ChunkID(VectorContent.block($0, seed: "last page")) }
  private static let roots: [SHA256Digest] = {
    let others = (1..<(1 << 14)).map { VectorContent.block($0, seed: "group") }
    return others + [Merkle.root(of: lastPage.span)]
  }()

  /// Header, section table and group roots.
  private func prefix() -> [UInt8] {
    let content = Self.roots.flatMap(\.bytes)
    var bytes: [UInt8] = [0x89, 0x43, 0x48, 0x4B, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0, 2, 0]
    append(UInt32(4 << 20), to: &bytes)
    append(UInt64(64 << 40), to: &bytes)
    append(UInt32(1024), to: &bytes)
    append(UInt32(0), to: &bytes)
    bytes += MerkleGroups.root(ofGroupRoots: Self.roots).bytes
    bytes += Array("GRPS".utf8) + SHA256Hasher.hash(content.span).bytes.prefix(4)
    append(UInt64(112), to: &bytes)
    append(UInt64(512 << 10), to: &bytes)
    bytes += Array("LEAF".utf8) + [0, 0, 0, 0]
    append(UInt64(112 + (512 << 10)), to: &bytes)
    append(UInt64(512 << 20), to: &bytes)
    return bytes + content
  }

  private func append<Value: FixedWidthInteger>(_ value: Value, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: Value.bitWidth, by: 8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  @Test func isReadWithoutItsLeaves() throws {
    let bytes = prefix()
    let first = bytes.span.extracting(first: UnverifiedManifest.firstReadLength)
    #expect(try UnverifiedManifest.neededPrefixLength(first) == 112 + (512 << 10))
    #expect(errorName { () throws(ManifestError) in _ = try UnverifiedManifest(prefix: first) } == "truncated")

    let manifest = try UnverifiedManifest(prefix: bytes.span).verified(expecting: nil)
    #expect(manifest.totalLength == 112 + (512 << 10) + (512 << 20))
    #expect(manifest.groupRoots.count == 1 << 14)
    let geometry = manifest.geometry
    #expect(geometry.chunkCount == 1 << 24)
    let group = geometry.groupCount - 1
    #expect(manifest.leafPageRange(group: group).end == manifest.totalLength)

    let leaves = Self.lastPage.flatMap(\.digest.bytes)
    let page = try manifest.leafPage(group: group, bytes: leaves.span)
    let last = ChunkIndex(geometry.chunkCount - 1)
    #expect(page[last] == Self.lastPage[1023])
    let proof = manifest.proof(of: last, in: page)
    #expect(proof.path.count == 24)
    #expect(proof.verify(id: page[last], root: manifest.root))
  }

  @Test func refusesToReadItWholeFromItsBeginning() {
    let bytes = prefix()
    let error = errorName { () throws(ManifestError) in
      _ = try Manifest.decode(whole: bytes.span, expecting: nil)
    }
    #expect(error == "truncated")
  }
}
