internal import ChunkTransfer
internal import CommandSupport

/// One file of a run, and how it is to be fetched.
struct WantedFile: Sendable {
  let url: String
  let options: GetOptions

  /// What the operands name and, when there is a lock file, it names; nothing is downloaded before all of it is known.
  static func all(_ urls: [String], _ options: GetOptions) throws(TransferError) -> [WantedFile] {
    guard let path = options.lockedPath else { return urls.map { WantedFile(url: $0, options: options) } }
    guard let lock = try LockRecorder.read(path) else {
      throw TransferError(.notTrusted, "\(path): there is no such file, so nothing says what is wanted.")
    }
    var wanted: [WantedFile] = []
    for url in urls {
      guard let locked = try lock.download(of: url) else {
        throw TransferError(.notTrusted, "\(path) does not name \(url); add it with --lock.")
      }
      wanted.append(WantedFile(url: url, options: options.locked(to: locked)))
    }
    for locked in urls.isEmpty ? lock.downloads : [] {
      guard locked.hasWholeURL else {
        throw TransferError(
          .invalidRequest, "\(locked.url): its secrets are not in the lock file; give the URL as well.")
      }
      wanted.append(WantedFile(url: locked.url, options: options.locked(to: locked)))
    }
    if wanted.count > 1, let flag = options.singleFileFlag {
      throw TransferError(.invalidRequest, "\(flag) belongs to one file, but \(path) names \(wanted.count).")
    }
    return wanted
  }
}

extension GetOptions {
  fileprivate func locked(to file: LockedFile) -> GetOptions {
    var options = self
    options.transfer.locked = file
    return options
  }
}
