internal import ChunkTransfer
internal import CommandSupport

/// One file of a run, and how it is to be fetched.
struct WantedFile: Sendable {
  let url: String
  private let particulars: Particulars

  /// What holds for this file alone. Boxed, as there may be very many files of which nothing is said.
  private indirect enum Particulars: Sendable {
    case nothing
    case listed(ListedFile)
    case described(TransferOptions, name: String)
    case locked(LockedFile)
  }

  /// The options of the run, with what holds for this file alone.
  func options(_ common: GetOptions) -> GetOptions {
    var options = common
    switch particulars {
    case .nothing: break
    case .listed(let file):
      options.output = file.output
      options.directory = file.directory ?? common.directory
      options.transfer.mirrors += file.mirrors
      if let digest = file.sha256 { options.transfer.sha256 = digest }
      if let id = file.id { options.transfer.fileID = id }
      if let manifest = file.manifest { options.transfer.manifest = .at(manifest) }
    case .described(let transfer, let name):
      options.transfer = transfer
      options.output = common.output ?? name
    case .locked(let file):
      options.transfer.locked = file
    }
    return options
  }

  /// What the operands and the list name, or a lock file, or a Metalink; nothing is downloaded before all of it is known.
  static func all(
    _ urls: [ListedFile], _ options: GetOptions, _ interruption: Interruption
  ) async throws(TransferError) -> [WantedFile] {
    let wanted =
      if let place = options.metalink {
        try await described(by: place, options, interruption)
      } else if let path = options.lockedPath {
        try locked(by: path, urls.map(\.url))
      } else {
        urls.map { WantedFile(url: $0.url, particulars: $0.isPlain ? .nothing : .listed($0)) }
      }
    if wanted.count > 1, let flag = options.singleFileFlags.first, options.metalink != nil || options.lockedPath != nil
    {
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
      let download = try metalink.download(of: file, options.transfer)
      wanted.append(WantedFile(url: download.url, particulars: .described(download.options, name: file.name)))
    }
    return wanted
  }

  // MARK: Lock file

  private static func locked(by path: String, _ urls: [String]) throws(TransferError) -> [WantedFile] {
    guard let lock = try LockRecorder.read(path) else {
      throw TransferError(.notTrusted, "\(path): there is no such file, so nothing says what is wanted.")
    }
    var wanted: [WantedFile] = []
    for url in urls {
      guard let locked = try lock.download(of: url) else {
        throw TransferError(.notTrusted, "\(path) does not name \(url); add it with --lock.")
      }
      wanted.append(WantedFile(url: url, particulars: .locked(locked)))
    }
    for locked in urls.isEmpty ? lock.downloads : [] {
      guard locked.hasWholeURL else {
        throw TransferError(
          .invalidRequest, "\(locked.url): its secrets are not in the lock file; give the URL as well.")
      }
      wanted.append(WantedFile(url: locked.url, particulars: .locked(locked)))
    }
    return wanted
  }
}

extension ListedFile {
  /// Nothing is said of it but its URL.
  fileprivate var isPlain: Bool {
    output == nil && directory == nil && mirrors.isEmpty && sha256 == nil && id == nil && manifest == nil
  }
}
