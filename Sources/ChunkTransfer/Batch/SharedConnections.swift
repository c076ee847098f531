internal import ChunkHTTP

/// The connections that the downloads of a batch use together: one file goes on over those of another, and one limit of the
/// rate holds for all.
///
/// They close when nobody holds the object any more.
package final class SharedConnections: Sendable {
  let fetcher: CurlFetcher

  /// Opens none before they are needed.
  ///
  /// - Parameter rateLimit: Bytes a second for all downloads together; nil for no limit.
  /// - Throws: `TransferError.Code.unreachable` when there is no thread for them.
  package init(rateLimit: UInt64?) throws(TransferError) {
    do throws(HTTPFailure) {
      fetcher = try CurlFetcher(CurlFetcher.Options(bytesPerSecond: rateLimit))
    } catch {
      throw TransferError(.unreachable, error.message)
    }
  }
}
