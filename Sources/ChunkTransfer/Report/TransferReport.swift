public import ChunkCore
internal import ChunkHTTP

/// How far the bytes of a download are to be trusted, strongest first.
public enum TrustLevel: String, Sendable {
  /// The caller pinned the file ID.
  case pinned
  /// The manifest was signed with the key that the caller gave.
  case signed
  /// The caller gave the manifest as a local file.
  case localManifest = "local-manifest"
  /// The manifest came from the origin over TLS: as good as the origin, no better.
  case origin
  /// The manifest came from the origin without TLS: accidents are excluded, attackers on the way are not.
  case transport
  /// The whole file has the digest that the caller gave; a manifest, if there was one, did not count.
  case digest
  /// No manifest and no digest: nothing was verified.
  case unverified = "none"
}

/// What one source contributed.
public struct SourceReport: Sendable {
  /// Its URL, without userinfo and secret query values.
  public let url: String
  /// In which form it has the file.
  public let kind: ManifestMetadata.Source.Kind
  /// Payload bytes received from it, right or wrong.
  public let receivedBytes: UInt64
  /// Chunks that were wrong although all their bytes came from it.
  public let wrongChunks: [ChunkIndex]
  /// Whether it was not asked again because of them.
  public let isQuarantined: Bool

  init(_ source: Source) {
    url = source.url.description
    kind = source.form.kind
    receivedBytes = source.receivedBytes
    wrongChunks = source.wrong.keys.sorted()
    isQuarantined = source.isQuarantined
  }
}

/// What a finished download did. Counts are of this run alone.
public struct TransferReport: Sendable {
  /// Where the file is; nil when it was written to a stream.
  public let path: String?
  /// The file's ID; nil when it was not verified against a manifest.
  public let fileID: FileID?
  /// The chunk size that the file ID is of; nil when there is none.
  public let chunkSize: ChunkSize?
  /// The digest of the whole file, made of its bytes; nil when nobody wanted it, or a stream could not have it.
  public let sha256: SHA256Digest?
  /// How far the bytes are to be trusted.
  public let trust: TrustLevel
  /// Length of the file in bytes.
  public let length: UInt64
  /// Bytes of the file that came over the network.
  public let fetchedBytes: UInt64
  /// Payload bytes that came for them, and those that were discarded: fewer than both together where they came compressed.
  public let receivedBytes: UInt64
  /// Payload bytes that came over the network and were of no use: wrong, twice, or not wanted.
  public let discardedBytes: UInt64
  /// Bytes that were found on disk, right.
  public let reusedBytes: UInt64
  /// Bytes of chunks that were put in the store, in which the whole file is now, durably; nil when there is no store, or not
  /// all of it could be put there.
  public let storedBytes: UInt64?
  /// Payload requests that were sent.
  public let requests: Int
  /// Wall time of the whole run in seconds.
  public let seconds: Double
  /// Every source that was known, in order of preference.
  public let sources: [SourceReport]

  // `state` is nil when nothing had to be fetched.
  init(
    path: String?, manifest: Manifest?, sha256: SHA256Digest?, trust: TrustLevel, length: UInt64, state: EngineState?,
    reusedBytes: UInt64, storedBytes: UInt64? = nil, seconds: Double
  ) {
    self.path = path
    fileID = manifest?.fileID
    chunkSize = manifest?.geometry.chunkSize
    self.sha256 = sha256
    self.trust = trust
    self.length = length
    self.reusedBytes = reusedBytes
    self.storedBytes = storedBytes
    self.seconds = seconds
    fetchedBytes = state?.counters.fetchedBytes ?? 0
    receivedBytes = (state?.counters.usedBytes ?? 0) + (state?.counters.discardedBytes ?? 0)
    discardedBytes = state?.counters.discardedBytes ?? 0
    requests = state?.counters.requests ?? 0
    sources = (state?.sources ?? []).map { SourceReport($0) }
  }
}

/// A moment of a running download. A plain value.
public struct TransferProgress: Sendable {
  /// What the transfer is doing.
  public enum Phase: String, Sendable {
    /// Looking for the manifest.
    case manifest
    /// Hashing an existing file.
    case checking
    /// Fetching what is missing.
    case fetching
    /// Making the file durable and giving it its name.
    case finishing
  }

  /// What the transfer is doing.
  public let phase: Phase
  /// Bytes that are known to be right, whether they were fetched or found.
  public let verifiedBytes: UInt64
  /// Length of the file; nil as long as it is not known.
  public let totalBytes: UInt64?
  /// Of the verified bytes, those that were found on disk.
  public let reusedBytes: UInt64
  /// Bytes a second that arrive and are verified, a moving average; nil before it is known. What is found on disk is
  /// not counted as speed.
  public let bytesPerSecond: Double?
  /// Requests that are open.
  public let connections: Int

  init(
    phase: Phase, verifiedBytes: UInt64 = 0, totalBytes: UInt64? = nil, reusedBytes: UInt64 = 0,
    bytesPerSecond: Double? = nil, connections: Int = 0
  ) {
    self.phase = phase
    self.verifiedBytes = verifiedBytes
    self.totalBytes = totalBytes
    self.reusedBytes = reusedBytes
    self.bytesPerSecond = bytesPerSecond
    self.connections = connections
  }

  /// Seconds that are left at the present rate; nil when that cannot be told.
  public var remainingSeconds: Double? {
    guard let totalBytes, let bytesPerSecond, bytesPerSecond > 0 else { return nil }
    return Double(totalBytes - min(totalBytes, verifiedBytes)) / bytesPerSecond
  }
}
