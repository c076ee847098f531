import ChunkCore

/// Puts right what a mutation can hardly get right: the signature, the checks of the sections, and the hashes from the
/// chunk IDs up to the root. What the mutation did to everything else is then not hidden behind them.
enum ManifestMending {
  static func mend(_ bytes: inout [UInt8]) {
    guard bytes.count >= 64 else { return }
    bytes.replaceSubrange(0..<10, with: [0x89, 0x43, 0x48, 0x4B, 0x0D, 0x0A, 0x1A, 0x0A, 1, 0])
    bytes.replaceSubrange(24..<32, with: [0, 4, 0, 0, 0, 0, 0, 0])
    let sections = sections(of: bytes)
    if let leaves = sections.first(where: { $0.type == "LEAF" }) {
      let roots = MerkleGroups.groupRoots(ids: chunkIDs(in: Array(bytes[leaves.range])).span)
      bytes.replaceSubrange(32..<64, with: MerkleGroups.root(ofGroupRoots: roots).bytes)
      if let groupRoots = sections.first(where: { $0.type == "GRPS" })?.range {
        let content = roots.flatMap(\.bytes).prefix(groupRoots.count)
        bytes.replaceSubrange(groupRoots.prefix(content.count), with: content)
      }
    }
    for section in sections {
      let digest = SHA256Hasher.hash(bytes.span.extracting(section.range))
      bytes.replaceSubrange(section.entry + 4..<section.entry + 8, with: digest.bytes.prefix(4))
    }
  }

  private struct Section {
    let entry: Int
    let type: String
    let range: Range<Int>
  }

  /// The sections that lie in the bytes as a whole, whatever else is wrong with them.
  private static func sections(of bytes: [UInt8]) -> [Section] {
    let count = min(Int(bytes[10]) | Int(bytes[11]) << 8, 16)
    return (0..<count).compactMap { number in
      let entry = 64 + 24 * number
      guard entry + 24 <= bytes.count else { return nil }
      let start = integer(bytes[entry + 8..<entry + 16])
      let length = integer(bytes[entry + 16..<entry + 24])
      guard start <= bytes.count, length <= UInt64(bytes.count) - start else { return nil }
      let type = String(decoding: bytes[entry..<entry + 4], as: UTF8.self)
      return Section(entry: entry, type: type, range: Int(start)..<Int(start + length))
    }
  }

  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func chunkIDs(in bytes: [UInt8]) -> [ChunkID] {
    (0..<bytes.count / 32).map { ChunkID(SHA256Digest(bytes.span.extracting(32 * $0..<32 * $0 + 32))) }
  }
}
