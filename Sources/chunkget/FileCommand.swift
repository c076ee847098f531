internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// Fetches one file and tells about it.
struct FileCommand {
  let url: String
  let options: GetOptions
  let interruption: Interruption
  /// Where to note what was downloaded.
  var recorder: LockRecorder?

  func run() async -> ExitStatus {
    let teller = Teller(options: options)
    do throws(TransferError) {
      let destination = try destination()
      teller.began(name: destination.description)
      var transfer = options.transfer
      transfer.onNotice = { teller.notice($0) }
      let download = try Download(from: url, to: destination, options: transfer)
      let watching = Task {
        for await progress in download.progress { teller.progress(progress) }
      }
      let running = Task { () -> Result<TransferReport, TransferError> in
        do throws(TransferError) { return .success(try await download.run()) } catch { return .failure(error) }
      }
      interruption.whenReceived { running.cancel() }
      let result = await running.value
      await watching.value
      let report = try result.get()
      try recorder?.record(url, report)
      teller.done(report)
      return .success
    } catch {
      return failed(error, teller)
    }
  }

  private func destination() throws(TransferError) -> Destination {
    if options.output == "-" { return .standardOutput }
    let path: String
    if let output = options.output { path = output } else { path = try Download.fileName(for: url) }
    guard let directory = options.directory, !path.hasPrefix("/") else { return .path(path) }
    return .path(directory.hasSuffix("/") ? directory + path : directory + "/" + path)
  }

  private func failed(_ error: TransferError, _ teller: Teller) -> ExitStatus {
    if let signal = interruption.signal {
      let status = ExitStatus.interruption(bySignal: signal.rawValue) ?? .failure
      teller.failed("interrupted; run the same command again to go on where it stopped", status: status)
      return status
    }
    let status = ExitStatus(error.code)
    // Whoever read standard output had enough: that is no news to anybody.
    if error.code != .outputClosed { teller.failed(error.message, status: status) }
    return status
  }
}

extension ExitStatus {
  init(_ code: TransferError.Code) {
    self =
      switch code {
      case .invalidRequest: .usage
      case .notTrusted: .notTrusted
      case .unreachable: .unreachable
      case .sourceChanged: .sourceChanged
      case .noRightBytes: .wrongBytes
      case .disk: .disk
      case .locked: .locked
      case .cancelled: .interrupted
      default: .failure
      }
  }
}
