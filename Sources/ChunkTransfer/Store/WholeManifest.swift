internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore
internal import ChunkSystem

/// All bytes of a located manifest, one piece after the other.
struct WholeManifest {
  let located: LocatedManifest
  let fetch: SmallFetch

  /// So much is asked for at a time, and in memory.
  private static let pieceLength: UInt64 = 4 << 20

  private var length: UInt64 { located.manifest.totalLength }

  /// Hands the bytes on. They are as they come: whoever gets them verifies them.
  func write(to sink: (Span<UInt8>) throws(StoreError) -> Void) throws(StoreError) {
    let prefix = located.prefix
    try sink(prefix.span.extracting(first: Int(min(length, UInt64(prefix.count)))))
    var offset = UInt64(prefix.count)
    while offset < length {
      let piece = try read(from: offset, count: min(Self.pieceLength, length - offset))
      guard !piece.isEmpty else {
        throw StoreError(.changed, "the manifest changed while it was read", path: located.name)
      }
      try sink(piece.span)
      offset += UInt64(piece.count)
    }
  }

  private func read(from offset: UInt64, count: UInt64) throws(StoreError) -> [UInt8] {
    switch located.place {
    case .memory: return []
    case .file(let path):
      do throws(Errno) {
        return try FileSystem().read(path, at: offset, upTo: Int(count))
      } catch {
        throw StoreError(error, "cannot read", path: path)
      }
    case .url(let url, let validator):
      return try download(url, validator, from: offset, count: count)
    }
  }

  private func download(
    _ url: HTTPURL, _ validator: Validator?, from offset: UInt64, count: UInt64
  ) throws(StoreError) -> [UInt8] {
    do throws(SmallFetchError) {
      let answer = try fetch.get(url, range: offset...(offset + count - 1), version: validator, limit: Int(length))
      switch answer.head.status {
      case 206: return Array(answer.bytes.prefix(Int(count)))
      // A server without ranges sends all of it each time.
      case 200: return Array(answer.bytes.dropFirst(Int(offset)))
      default: return []
      }
    } catch {
      switch error {
      case .cancelled: throw StoreError(.cancelled, "cancelled", path: located.name)
      case .failed(let failure): throw StoreError(.other, failure.message, path: located.name)
      }
    }
  }
}
