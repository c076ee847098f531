public import ChunkCore
internal import ChunkHTTP

/// What a lock file says of one download: the file that is wanted, and no other.
///
/// A plain value; `Spec/lock-v1.md` says what each member is for. `Sendable`.
public struct LockedFile: Sendable, Hashable {
  /// The URL without userinfo, fragment and secret query values.
  public let url: String
  /// The length of the file in bytes.
  public let length: UInt64
  /// The file ID and the chunk size it is of; nil when there was no manifest.
  public let fileID: FileID?
  /// As long as all chunks but the last are.
  public let chunkSize: ChunkSize?
  /// The digest of the whole file, where it is known.
  public let sha256: SHA256Digest?

  package init(url: String, length: UInt64, fileID: FileID?, chunkSize: ChunkSize?, sha256: SHA256Digest?) {
    self.url = url
    self.length = length
    self.fileID = fileID
    self.chunkSize = chunkSize
    self.sha256 = sha256
  }

  /// What a download brought, to be downloaded again.
  ///
  /// - Parameters:
  ///   - url: As it was given to the download.
  ///   - report: What the download returned.
  /// - Throws: `TransferError.Code.invalidRequest` when `url` is no usable URL.
  public init(url: String, report: TransferReport) throws(TransferError) {
    self.init(
      url: try parseURL(url).description, length: report.length, fileID: report.fileID, chunkSize: report.chunkSize,
      sha256: report.sha256)
  }

  /// Whether the URL can be used as it stands here, so that nobody has to give it: nothing was taken out of it.
  package var hasWholeURL: Bool { !url.contains("…") }
}
