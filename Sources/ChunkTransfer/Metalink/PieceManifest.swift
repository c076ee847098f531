internal import ChunkCore

/// A manifest that nobody published: made of the digests of pieces, which name chunks as well as chunk IDs do.
package struct PieceManifest: Sendable {
  private let manifest: Manifest
  private let bytes: [UInt8]
  private let trust: TrustLevel

  /// - Returns: nil when the pieces cannot be chunks, since they are of another length than chunks have.
  /// - Throws: `TransferError.Code.notTrusted` when there are more or fewer than the file has.
  init?(_ file: MetalinkFile, trust: TrustLevel) throws(TransferError) {
    guard let length = file.length, let pieces = file.pieces, let size = ChunkSize(bytes: pieces.length) else {
      return nil
    }
    let ids = pieces.digests.map { ChunkID($0) }
    let geometry = try Self.accept(file) { () throws(ManifestError) in
      try ChunkGeometry(fileLength: length, chunkSize: size)
    }
    guard geometry.chunkCount == ids.count else {
      throw TransferError(
        .notTrusted, "the Metalink has \(ids.count) pieces of \(file.name), which should be \(geometry.chunkCount).")
    }
    let bytes = try Self.accept(file) { () throws(ManifestError) in
      try ManifestEncoder(geometry: geometry, chunkIDs: ids).encode()
    }
    self.bytes = bytes
    manifest = try Self.accept(file) { () throws(ManifestError) in
      try UnverifiedManifest(prefix: bytes.span).verified(expecting: nil)
    }
    self.trust = trust
  }

  private static func accept<Result>(
    _ file: MetalinkFile, _ body: () throws(ManifestError) -> Result
  ) throws(TransferError) -> Result {
    do throws(ManifestError) {
      return try body()
    } catch {
      throw TransferError(.notTrusted, "the pieces of \(file.name) in the Metalink: \(error.message).")
    }
  }

  /// As if it had been found somewhere.
  var located: LocatedManifest {
    LocatedManifest(manifest: manifest, prefix: bytes, place: .memory, trust: trust)
  }
}
