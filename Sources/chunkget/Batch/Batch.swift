internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// The files of a run, some at a time.
///
/// Those that run at once have one set of connections, and each its part of what one download alone may use: connections,
/// memory, rate. When a file fails no other is begun, unless that was asked for; those under way are brought to their end,
/// as what they have cost is spent.
struct Batch: Sendable {
  let files: [WantedFile]
  let options: GetOptions
  let interruption: Interruption
  let display: Display
  var recorder: LockRecorder?

  private var isOne: Bool { files.count == 1 && options.list == nil }

  func run() async -> ExitStatus {
    let ledger = BatchLedger(files: files.count, continuesOnError: options.continuesOnError)
    let shares: [TransferShare?]
    do throws(TransferError) {
      if files.count > 1 { try OutputNames.check(files, options) }
      shares = try self.shares()
    } catch {
      Console.chunkget.tell(SafeText.escape(error.message))
      return ExitStatus(error.code)
    }
    if !isOne { display.counts { ledger.now } }
    let running = Task {
      await withTaskGroup(of: Void.self) { group in
        for share in shares { group.addTask { await work(ledger, share) } }
      }
    }
    interruption.whenReceived {
      ledger.stop()
      running.cancel()
    }
    await running.value
    let state = ledger.now
    let status = interruption.signal.map { ExitStatus.interruption(bySignal: $0.rawValue) ?? .failure } ?? state.status
    if !isOne { display.summary(state, status: status) }
    return status
  }

  /// One for each file that may run at a time; a file that is alone need not share.
  private func shares() throws(TransferError) -> [TransferShare?] {
    guard files.count > 1 else { return [nil] }
    let count = options.transfer.mostAtOnce(of: min(options.jobs, files.count))
    let connections = try SharedConnections(rateLimit: options.transfer.rateLimit)
    return (0..<count).map { TransferShare($0, of: count, over: connections) }
  }

  private func work(_ ledger: BatchLedger, _ share: TransferShare?) async {
    while let (number, isAlone) = ledger.next() {
      let file = files[number]
      var own = file.options(options)
      if let share { own.transfer.keep(to: isAlone ? share.whole : share) }
      let teller = Teller(options: options, display: display, file: isOne ? nil : number + 1)
      let command = FileCommand(
        url: file.url, options: own, interruption: interruption, teller: teller, recorder: recorder)
      ledger.note(await command.run(), of: teller.name)
    }
  }
}
