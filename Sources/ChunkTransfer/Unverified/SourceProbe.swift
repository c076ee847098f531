internal import ChunkCore
internal import ChunkHTTP

/// What a source says of a file for which there is no manifest.
struct SourceProbe {
  /// nil when the server does not say.
  let length: UInt64?
  let givesRanges: Bool
  /// What it says the SHA-256 of the whole file is.
  let digest: SHA256Digest?
  /// What tells its versions apart, if anything does.
  let validator: Validator?

  /// Whether parts may be asked for one by one without mixing versions.
  var canBeSplit: Bool { givesRanges && length != nil && validator?.isStrong == true }

  /// Asks for the first bytes.
  init(_ url: HTTPURL, fetch: SmallFetch) throws(TransferError) {
    let answer: SmallFetch.Answer
    do throws(SmallFetchError) {
      answer = try fetch.get(url, range: 0...0, limit: 1)
    } catch {
      throw TransferError(error)
    }
    validator = answer.head.validator
    digest = answer.head.representationDigest
    switch (answer.head.status, answer.head.contentRange) {
    case (206, .one(let range)):
      (length, givesRanges) = (range.total, true)
    case (200, _):
      (length, givesRanges) = (answer.head.contentLength, false)
    case (416, .one(let range)) where range.total == 0:
      // An empty file has no first byte.
      (length, givesRanges) = (0, true)
    default:
      let request = RangeRequest(url: url, range: 0...0)
      if case .status(let failure) = RangeAnswer.judge(answer.head, for: request) {
        throw TransferError(.unreachable, failure.message)
      }
      throw TransferError(.unreachable, "\(url): the server's answer (\(answer.head.status)) cannot be used.")
    }
  }
}
