internal import ChunkTransfer
internal import CommandSupport

/// One file of a run, and how it is to be fetched.
struct WantedFile: Sendable {
  let url: String
  let options: GetOptions

  /// What the operands name, or a lock file, or a Metalink; nothing is downloaded before all of it is known.
  static func all(
    _ urls: [String], _ options: GetOptions, _ interruption: Interruption
  ) async throws(TransferError) -> [WantedFile] {
    let wanted =
      if let place = options.metalink {
        try await described(by: place, options, interruption)
      } else if let path = options.lockedPath {
        try locked(by: path, urls, options)
      } else {
        urls.map { WantedFile(url: $0, options: options) }
      }
    if wanted.count > 1, let flag = options.singleFileFlag {
      throw TransferError(.invalidRequest, "\(flag) belongs to one file, but there are \(wanted.count).")
    }
    return wanted
  }

  // MARK: Metalink

  private static func described(
    by place: String, _ options: GetOptions, _ interruption: Interruption
  ) async throws(TransferError) -> [WantedFile] {
    let transfer = options.transfer
    let loading = Task { () -> Result<Metalink, TransferError> in
      do throws(TransferError) {
        return .success(try await Metalink.load(place, options: transfer))
      } catch {
        return .failure(error)
      }
    }
    interruption.whenReceived { loading.cancel() }
    let metalink = try await loading.value.get()
    var wanted: [WantedFile] = []
    for file in metalink.files {
      var own = options
      let download = try metalink.download(of: file, options.transfer)
      own.transfer = download.options
      own.output = options.output ?? file.name
      wanted.append(WantedFile(url: download.url, options: own))
    }
    return wanted
  }

  // MARK: Lock file

  private static func locked(
    by path: String, _ urls: [String], _ options: GetOptions
  ) throws(TransferError) -> [WantedFile] {
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
