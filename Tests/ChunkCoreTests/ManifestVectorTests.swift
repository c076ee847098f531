import ChunkCore
import Testing

/// The encoder writes, and both ways of reading accept, what the reference has written.
@Suite struct ManifestVectorTests {
  private struct Vectors: Decodable {
    let cases: [Case]
    let recommendedChunkSizes: [Recommendation]
    let zeroChunks: [ZeroVector]

    struct Recommendation: Decodable {
      let fileLength: UInt64
      let chunkSize: Int?
    }
    struct ZeroVector: Decodable {
      let length: Int
      let id: String
    }
  }

  private struct Case: Decodable {
    let name: String
    let content: VectorContent
    let chunkSize: Int
    let fileLength: UInt64
    let chunkCount: Int
    let groupCount: Int
    let root: String
    let fileID: String
    let groupRoots: [String]
    let metadata: MetadataVector?
    let extraSections: [ExtraSection]?
    let sections: [Section]
    let neededPrefix: Int
    let manifestLength: UInt64
    let manifestSHA256: String
    let manifest: HexBytes?

    struct ExtraSection: Decodable {
      let type: String
    }
    struct Section: Decodable, Equatable {
      let type: String
      let offset: UInt64
      let length: UInt64
    }

    func geometry() throws -> ChunkGeometry {
      try ChunkGeometry(fileLength: fileLength, chunkSize: try #require(ChunkSize(bytes: chunkSize)))
    }
  }

  private let vectors: Vectors

  init() throws {
    vectors = try SpecVectors.load("manifests.json", as: Vectors.self)
  }

  @Test func encodesTheSameBytes() throws {
    #expect(!vectors.cases.isEmpty)
    for vector in vectors.cases where vector.extraSections == nil {
      let geometry = try vector.geometry()
      #expect(geometry.chunkCount == vector.chunkCount)
      #expect(geometry.groupCount == vector.groupCount)
      let encoder = try ManifestEncoder(
        geometry: geometry, chunkIDs: vector.content.chunkIDs(geometry), metadata: try vector.metadata?.metadata())
      #expect(encoder.root.hex == vector.root, "\(vector.name)")
      #expect(encoder.fileID.description == vector.fileID, "\(vector.name)")
      #expect(encoder.totalLength == vector.manifestLength, "\(vector.name)")
      let bytes = encoder.encode()
      #expect(SHA256Hasher.hash(bytes.span).hex == vector.manifestSHA256, "\(vector.name)")
      if let expected = vector.manifest { #expect(bytes == expected.bytes, "\(vector.name)") }
    }
  }

  @Test func readsThemWhole() throws {
    for vector in vectors.cases {
      let geometry = try vector.geometry()
      let ids = vector.content.chunkIDs(geometry)
      guard let bytes = try bytes(of: vector, geometry: geometry, ids: ids) else { continue }
      let (manifest, pages) = try Manifest.decode(whole: bytes.span, expecting: FileID(vector.fileID))
      try expect(manifest, toBe: vector)
      #expect(pages.map(\.group) == Array(0..<vector.groupCount))
      #expect(pages.flatMap(\.ids) == ids, "\(vector.name)")
      #expect(pages.flatMap { Array($0.chunks) } == Array(geometry.chunks))
    }
  }

  @Test func readsThemByPages() throws {
    for vector in vectors.cases {
      let geometry = try vector.geometry()
      let ids = vector.content.chunkIDs(geometry)
      guard let bytes = try bytes(of: vector, geometry: geometry, ids: ids) else { continue }
      let beginning = bytes.span.extracting(first: min(448, bytes.count))
      let needed = try UnverifiedManifest.neededPrefixLength(beginning)
      #expect(needed == vector.neededPrefix, "\(vector.name)")
      let unverified = try UnverifiedManifest(prefix: bytes.span.extracting(first: needed))
      #expect(unverified.fileID.description == vector.fileID)
      let manifest = try unverified.verified(expecting: nil)
      try expect(manifest, toBe: vector)
      for chunk in geometry.chunks where chunk.rawValue % 511 == 0 {
        let group = geometry.group(of: chunk)
        let range = manifest.leafPageRange(group: group)
        let page = try manifest.leafPage(
          group: group, bytes: bytes.span.extracting(Int(range.offset)..<Int(range.end)))
        #expect(page[chunk] == ids[chunk.rawValue], "\(vector.name)")
        let proof = manifest.proof(of: chunk, in: page)
        #expect(proof.verify(id: page[chunk], root: manifest.root), "\(vector.name)")
      }
    }
  }

  @Test func recommendsTheSameChunkSizes() {
    #expect(!vectors.recommendedChunkSizes.isEmpty)
    for vector in vectors.recommendedChunkSizes {
      let size = ChunkSize.recommended(fileLength: vector.fileLength)
      let geometry = try? ChunkGeometry(fileLength: vector.fileLength, chunkSize: size)
      #expect(geometry?.chunkSize.bytes == vector.chunkSize, "\(vector.fileLength)")
    }
  }

  @Test func knowsTheSameIDsOfZeros() {
    #expect(!vectors.zeroChunks.isEmpty)
    for vector in vectors.zeroChunks {
      #expect(ZeroChunk.id(length: vector.length).hex == vector.id)
    }
  }

  /// The reference's bytes, or for long ones, which the vectors leave out, our own that have the same hash.
  private func bytes(of vector: Case, geometry: ChunkGeometry, ids: [ChunkID]) throws -> [UInt8]? {
    if let manifest = vector.manifest { return manifest.bytes }
    guard vector.extraSections == nil else { return nil }
    return try ManifestEncoder(geometry: geometry, chunkIDs: ids, metadata: try vector.metadata?.metadata()).encode()
  }

  private func expect(_ manifest: Manifest, toBe vector: Case) throws {
    #expect(manifest.geometry == (try vector.geometry()))
    #expect(manifest.root.hex == vector.root)
    #expect(manifest.fileID.description == vector.fileID)
    #expect(manifest.groupRoots.map(\.hex) == vector.groupRoots)
    #expect(manifest.metadata == (try vector.metadata?.metadata()), "\(vector.name)")
    #expect(manifest.totalLength == vector.manifestLength)
    let sections = manifest.sections.sections.map { section in
      Case.Section(type: section.type.description, offset: section.range.offset, length: section.range.count)
    }
    #expect(sections == vector.sections, "\(vector.name)")
  }
}

/// Metadata as the vectors write it.
struct MetadataVector: Decodable {
  let comment: String?
  let mediaType: String?
  let name: String?
  let sha256: String?
  let sources: [Source]?

  struct Source: Decodable {
    let kind: String
    let url: String
  }

  func metadata() throws -> ManifestMetadata {
    try ManifestMetadata(
      comment: comment, mediaType: mediaType, name: name,
      sha256: try sha256.map { try #require(SHA256Digest(hex: $0)) },
      sources: try (sources ?? []).map { source in
        let kinds: [ManifestMetadata.Source.Kind] = [.file, .pack, .store]
        return try ManifestMetadata.Source(
          kind: try #require(kinds.first { $0.description == source.kind }), url: source.url)
      })
  }
}
