import ChunkCore
import FaultServer

/// A file and its manifest, as a publisher has them.
struct Publication: Sendable {
  let bytes: [UInt8]
  let chunkSize: Int
  let manifest: [UInt8]
  let fileID: FileID

  /// The manifest has a `weak` column when there is something that changes it, and a `pack` column when frame ends are given.
  init(
    _ bytes: [UInt8], chunkSize: Int = 65_536, comment: String? = nil, sources: [String] = [],
    kind: ManifestMetadata.Source.Kind = .file, changingWeakHashes change: (([UInt64]) -> [UInt64])? = nil,
    frameEnds: [UInt64]? = nil
  ) throws {
    self.bytes = bytes
    self.chunkSize = chunkSize
    guard let size = ChunkSize(bytes: chunkSize) else { throw NotAChunkSize() }
    let geometry = try ChunkGeometry(fileLength: UInt64(bytes.count), chunkSize: size)
    let ids = geometry.chunks.map { chunk in
      let range = geometry.range(of: chunk)
      return ChunkID(SHA256Hasher.hash(bytes.span.extracting(Int(range.offset)..<Int(range.end))))
    }
    let metadata = try ManifestMetadata(
      comment: comment, sources: sources.map { try ManifestMetadata.Source(kind: kind, url: $0) })
    let weakHashes = change.map { change in
      change(
        geometry.chunks.map { chunk in
          let range = geometry.range(of: chunk)
          return WeakHash.hash(bytes.span.extracting(Int(range.offset)..<Int(range.end)))
        })
    }
    let encoder = try ManifestEncoder(
      geometry: geometry, chunkIDs: ids, metadata: metadata, weakHashes: weakHashes, frameEnds: frameEnds)
    manifest = encoder.encode()
    fileID = encoder.fileID
  }

  init(length: Int, seed: UInt64 = 1, chunkSize: Int = 65_536) throws {
    // The pattern begins with its own offset, which is zero, and a chunk of zeros is not fetched.
    let pattern = Content.pattern(length: UInt64(length + 9), seed: seed)
    try self.init(pattern.bytes(in: 9..<UInt64(length + 9)), chunkSize: chunkSize)
  }

  /// Long enough for four requests at a time, and not a multiple of anything: 49 chunks of 64 KiB, the last one short.
  static func standard() throws -> Publication { try _standard.get() }
  /// What the same file was before: as long, with another content throughout.
  static func older() throws -> Publication { try _older.get() }

  private static let _standard = Result { try Publication(length: 3 * 1_048_576 + 777) }
  private static let _older = Result { try Publication(length: 3 * 1_048_576 + 777, seed: 2) }

  var chunkCount: Int { (bytes.count + chunkSize - 1) / chunkSize }

  func range(ofChunk index: Int) -> Range<Int> {
    index * chunkSize..<min((index + 1) * chunkSize, bytes.count)
  }

  var sha256: SHA256Digest { SHA256Hasher.hash(bytes.span) }

  /// An offset in every chunk.
  var oneOffsetPerChunk: [UInt64] { (0..<chunkCount).map { UInt64($0 * chunkSize + 5) } }

  private struct NotAChunkSize: Error {}
}
