internal import ChunkCore
internal import ChunkHTTP

/// A download of what a lock file names: exactly that, from anywhere.
///
/// The file ID decides as long as there is a manifest of it somewhere. When the file was published anew, cut differently,
/// the digest of the whole file does.
struct LockedTransfer {
  let transfer: Transfer
  let network: Network
  let locked: LockedFile

  func run() throws(TransferError) -> TransferReport {
    var failure: TransferError?
    if let fileID = locked.fileID {
      // Every chunk is verified as it comes, so the digest of the whole has nothing to add.
      var pinned = transfer
      pinned.options.fileID = fileID
      pinned.options.sha256 = nil
      switch search(pinned) {
      case .success(.found(let located)): return try pinned.run(with: located, network)
      case .success(.absent(let reason)): failure = TransferError(.notTrusted, "there is no manifest: \(reason).")
      case .failure(let error): failure = error
      }
    }
    if let failure, failure.code == .cancelled || locked.sha256 == nil { throw failure }
    return try runByDigest(pinnedFailure: failure)
  }

  private func search(_ transfer: Transfer) -> Result<ManifestLocation.Finding, TransferError> {
    Result { () throws(TransferError) in try transfer.search(network).find() }
  }

  // MARK: By the digest of the whole

  private func runByDigest(pinnedFailure: TransferError?) throws(TransferError) -> TransferReport {
    guard case .file = transfer.output else {
      throw pinnedFailure
        ?? TransferError(
          .notTrusted,
          "of \(locked.url) only the digest of the whole is locked, and that cannot be checked before the bytes are out."
        )
    }
    var open = transfer
    open.options.fileID = nil
    open.options.sha256 = locked.sha256
    // Who did not answer the search before, retries and all, will not now.
    let fetch = pinnedFailure == nil ? network.smallFetch : network.smallFetch.once
    var withoutManifest: HTTPURL?
    var failure = pinnedFailure
    // A manifest found here is believed by nobody: what it describes is hashed as a whole.
    for url in [transfer.url] + transfer.mirrors {
      let location = ManifestLocation(url: url, options: open.options, fetch: fetch)
      switch Result(catching: { () throws(TransferError) in try location.find() }) {
      case .success(.found(let located)):
        if let difference = difference(of: located.manifest) {
          failure = TransferError(
            .notTrusted, "\(url) has not what is locked: \(difference). If the change is wanted, lock it anew.")
        } else {
          transfer.options.onNotice?("the file was published anew, in other chunks: its digest will decide")
          return try open.run(with: located.trusted(.digest), network)
        }
      case .success(.absent): withoutManifest = withoutManifest ?? url
      case .failure(let error) where error.code == .cancelled: throw error
      case .failure(let error): failure = failure ?? error
      }
    }
    guard let withoutManifest else {
      throw failure ?? TransferError(.unreachable, "\(locked.url): no place has the file.")
    }
    open.url = withoutManifest
    open.mirrors.removeAll { $0 == withoutManifest }
    return try open.runWithoutManifest("none of the file that is locked", network)
  }

  /// Why a manifest cannot be that of the same bytes in other chunks; nil when it can.
  private func difference(of manifest: Manifest) -> String? {
    if manifest.geometry.fileLength != locked.length {
      return "the file there has \(manifest.geometry.fileLength) bytes instead of \(locked.length)"
    }
    if manifest.geometry.chunkSize == locked.chunkSize, manifest.fileID != locked.fileID {
      return "the manifest there is that of another file, \(manifest.fileID)"
    }
    if let claimed = manifest.metadata?.sha256, claimed != locked.sha256 {
      return "the manifest there is that of a file with another SHA-256, \(claimed)"
    }
    return nil
  }
}
