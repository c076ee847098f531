internal import ChunkHTTP
internal import ChunkSystem

/// All places where the manifest may be: beside the URL and, when it does not matter who gives it, beside the mirrors.
///
/// Each is asked once, so that one that is gone does not keep the others waiting; only when none has it are those asked
/// again, with retries, whose failure may pass.
struct ManifestSearch {
  let url: HTTPURL
  let mirrors: [HTTPURL]
  var options: TransferOptions
  let fetch: SmallFetch
  var early: EarlyStart?

  func find() throws(TransferError) -> ManifestLocation.Finding {
    let isFromAnyone = options.fileID != nil || options.publicKey != nil
    guard isFromAnyone, options.manifest == .discover, !mirrors.isEmpty else { return try look(at: url, fetch) }
    var failures: [(place: HTTPURL, error: TransferError)] = []
    for place in [url] + mirrors {
      do throws(TransferError) {
        return try look(at: place, fetch.once)
      } catch {
        if error.code == .cancelled { throw error }
        failures.append((place, error))
      }
    }
    for failure in failures where failure.error.isRetryable {
      do throws(TransferError) {
        return try look(at: failure.place, fetch)
      } catch {
        if error.code == .cancelled { throw error }
      }
    }
    throw failures[0].error
  }

  private func look(at place: HTTPURL, _ fetch: SmallFetch) throws(TransferError) -> ManifestLocation.Finding {
    try ManifestLocation(url: place, options: options, fetch: fetch, early: early).find()
  }
}

extension SmallFetch {
  /// The same without a second attempt.
  var once: SmallFetch {
    var policy = retry
    policy.attempts = 0
    return SmallFetch(
      fetcher: fetcher, options: options, credentials: credentials, retry: policy, stallTimeout: stallTimeout,
      isCancelled: isCancelled)
  }
}
