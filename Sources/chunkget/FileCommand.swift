internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// Fetches one file and tells about it. Ends early when its task is cancelled.
struct FileCommand {
  /// What became of it.
  enum Outcome: Sendable {
    case done(TransferReport)
    case failed(ExitStatus, reason: String)
  }

  let url: String
  let options: GetOptions
  let interruption: Interruption
  let teller: Teller
  /// Where to note what was downloaded.
  var recorder: LockRecorder?

  func run() async -> Outcome {
    do throws(TransferError) {
      let destination = try options.destination(of: url)
      teller.began(name: destination.description)
      guard let path = options.report else { return await fetch(to: destination, nil) }
      guard path != destination.description else {
        throw TransferError(.invalidRequest, "\(path): the report would take the place of the file.")
      }
      let file = try ReportFile(path)
      let chronicle = Chronicle()
      let outcome = await fetch(to: destination, chronicle)
      return write(outcome, chronicle, to: file)
    } catch {
      return failed(error)
    }
  }

  private func fetch(to destination: Destination, _ chronicle: Chronicle?) async -> Outcome {
    do throws(TransferError) {
      var transfer = options.transfer
      transfer.onNotice = { [teller] notice in
        teller.notice(notice)
        chronicle?.note(notice: notice)
      }
      if let chronicle { transfer.onTrace = { chronicle.note($0) } }
      let download = try Download(from: url, to: destination, options: transfer)
      let watching = Task { [teller] in
        for await progress in download.progress {
          teller.progress(progress)
          chronicle?.note(progress)
        }
      }
      let result: Result<TransferReport, TransferError>
      do throws(TransferError) { result = .success(try await download.run()) } catch { result = .failure(error) }
      await watching.value
      let report = try result.get()
      try recorder?.record(url, report)
      teller.done(report)
      return .done(report)
    } catch {
      return failed(error)
    }
  }

  /// The page tells what became of the file; when it cannot be written, that is what became of the run.
  private func write(_ outcome: Outcome, _ chronicle: Chronicle, to file: ReportFile) -> Outcome {
    do throws(TransferError) {
      try file.write(
        ReportPage(name: teller.name, outcome: outcome, chronicle: chronicle.now, seconds: chronicle.elapsed))
      return outcome
    } catch {
      teller.remark(error.message)
      if case .done = outcome { return .failed(ExitStatus(error.code), reason: error.message) }
      return outcome
    }
  }

  private func failed(_ error: TransferError) -> Outcome {
    if let signal = interruption.signal {
      let status = ExitStatus.interruption(bySignal: signal.rawValue) ?? .failure
      teller.failed("interrupted; run the same command again to go on where it stopped", status: status)
      return .failed(status, reason: "interrupted")
    }
    let status = ExitStatus(error.code)
    // Whoever read standard output had enough: that is no news to anybody.
    if error.code == .outputClosed { teller.ended() } else { teller.failed(error.message, status: status) }
    return .failed(status, reason: error.message)
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
