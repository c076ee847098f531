internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// Work on files that may take long: it shows how far it is, and a signal ends it. One for a run of a command.
struct HashingSession: Sendable {
  let interruption: Interruption
  private let console: Console
  private let isQuiet: Bool

  init(on console: Console, isQuiet: Bool) throws(Failure) {
    do throws(Errno) {
      interruption = try Interruption()
    } catch {
      throw Failure(.failure, "cannot watch for signals: \(error)")
    }
    self.console = console
    self.isQuiet = isQuiet
  }

  /// Does the work on this thread, while another shows the progress and passes on a signal. Short work shows nothing.
  ///
  /// - Throws: The work's own failure; the status of the signal when one ended it.
  func run<Result>(
    on path: String, _ work: (HashingProgress) throws(StoreError) -> Result
  ) throws(Failure) -> Result {
    let progress = HashingProgress()
    let isDone = Monitor(false)
    let label = path.split(separator: "/").last.map(String.init) ?? path
    let watcher = watch(label, progress, until: isDone)
    defer {
      isDone.change { $0 = true }
      watcher?.join()
    }
    do throws(StoreError) {
      return try work(progress)
    } catch {
      guard error.code == .cancelled else { throw Failure(error) }
      throw Failure(interruption.status ?? .failure, "interrupted; nothing was changed")
    }
  }

  /// How long work is not worth a word, and how soon a signal is passed on.
  private static let patience = Duration.milliseconds(500)
  private static let interval = Duration.milliseconds(100)

  /// Nil when there is no thread to be had: then nothing is shown, and it takes the second signal to end the process.
  private func watch(_ label: String, _ progress: HashingProgress, until isDone: Monitor<Bool>) -> DedicatedThread? {
    do throws(Errno) {
      return try DedicatedThread(name: "progress") { show(label, progress, until: isDone) }
    } catch {
      return nil
    }
  }

  private func show(_ label: String, _ progress: HashingProgress, until isDone: Monitor<Bool>) {
    var writer = ProgressWriter(
      isTerminal: StandardStream.error.isTerminal && !StandardStream.error.isDumb,
      style: TerminalStyle.suiting(StandardStream.error), size: { StandardStream.error.size ?? (80, 24) },
      write: console.writeError)
    var meter = RateMeter()
    let begun = Instant.now
    while isDone.wait(until: Instant.now.advanced(by: Self.interval), for: { $0 ? true : nil }) == nil {
      if interruption.signal != nil { progress.cancel() }
      let elapsed = begun.duration(to: .now)
      meter.add(bytes: progress.bytesDone, now: elapsed)
      if isQuiet || elapsed < Self.patience { continue }
      writer.update(Self.state(label, progress, meter), now: elapsed)
    }
    // What there is to say at the end is a result, and takes the place of the line.
    writer.erase()
  }

  private static func state(_ label: String, _ progress: HashingProgress, _ meter: RateMeter) -> ProgressState {
    let (done, total) = (progress.bytesDone, progress.bytesTotal)
    return ProgressState(
      label: label, done: done, total: total, rate: meter.rate,
      remaining: meter.remaining(bytes: total > done ? total - done : 0))
  }
}
