import ChunkCore
import ChunkStore
import ChunkSystem

/// What was packed, with what its manifest would say of it.
struct PackedFile: Sendable {
  let hashed: HashedFile
  var ends: [UInt64]

  /// The frames by groups, as they are read from the manifest.
  func frames() throws -> [PackedFrames] {
    let bytes = try ManifestEncoder(geometry: hashed.geometry, chunkIDs: hashed.chunkIDs, frameEnds: ends).encode()
    let manifest = try Manifest.decode(whole: bytes.span, expecting: nil).0
    return try (0..<hashed.geometry.groupCount).map { group in
      guard let range = manifest.packRange(groups: group..<group + 1) else { preconditionFailure("has a column") }
      return try manifest.packedFrames(
        groups: group..<group + 1, bytes: bytes.span.extracting(Int(range.offset)..<Int(range.end)))
    }
  }

  /// Compares a pack with it, on a thread of its own.
  func verify(_ path: String) async throws -> (verification: PackVerification, bad: [BadFrame]) {
    let (geometry, chunkIDs, frames) = (hashed.geometry, hashed.chunkIDs, try frames())
    let bad = Lock<[BadFrame]>([])
    let verification = try await DedicatedThread.run(name: "verify") {
      Result {
        try PackVerifier(threadCount: 2).verify(
          path, geometry: geometry, frames: frames,
          ids: { group in geometry.chunks(inGroup: group).map { chunkIDs[$0.rawValue] } },
          report: { frame in bad.withLock { $0.append(frame) } })
      }
    }.get()
    return (verification, bad.withLock { $0 })
  }
}
