internal import ChunkHTTP

/// What one source is doing at a moment of a download. A plain value.
public struct SourceProgress: Sendable, Hashable {
  /// Whether it is asked.
  public enum Standing: String, Sendable {
    /// It is.
    case active
    /// It failed too often, or for good.
    case failed
    /// It gave wrong bytes, and is not asked again.
    case quarantined
  }

  /// Its URL, without userinfo and secret query values.
  public let url: String
  /// Whether it is asked.
  public let standing: Standing
  /// Requests that are open.
  public let connections: Int
  /// Bytes a second that come from it, about; nil before it is known, or when nothing is asked of it.
  public let bytesPerSecond: Double?
  /// Chunks from it that were right.
  public let verifiedChunks: Int

  init(_ source: Source) {
    url = source.url.description
    standing =
      switch source.standing {
      case .active: .active
      case .failed: .failed
      case .quarantined: .quarantined
      }
    connections = source.open
    bytesPerSecond = source.open > 0 ? source.connectionRate.map { $0 * Double(source.open) } : nil
    verifiedChunks = source.verifiedChunks
  }
}
