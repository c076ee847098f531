internal import CTestShims
package import ChunkSystem
internal import Glibc

/// A process that was started. It is killed when nobody holds it any more.
package final class RunningProcess: Sendable {
  /// Its number, as long as it runs.
  package let number: CInt
  private let life: ProcessLife
  private let outputStream = CollectedStream()
  private let errorStream = CollectedStream()
  /// Ours of a standard output that is read on demand.
  private let outputEnd: CInt?
  private let inputEnd: Monitor<CInt?>

  init(_ program: Subprocess) throws(Errno) {
    let standard = try StandardPipes(program)
    number = try standard.spawn(program)
    life = ProcessLife(number, leadsGroup: program.leadsGroup)
    let ours = standard.ours
    if case .onDemand = program.output { outputEnd = ours.output } else { outputEnd = nil }
    if case .written = program.input { inputEnd = Monitor(ours.input) } else { inputEnd = Monitor(nil) }

    try life.watch()
    try Self.collect(ours.error, into: errorStream)
    if case .captured = program.output, let end = ours.output {
      try Self.collect(end, into: outputStream)
    } else {
      outputStream.end()
    }
    if case .bytes(let bytes) = program.input, let end = ours.input {
      _ = try DedicatedThread(name: "test input") {
        writeAll(bytes, to: end)
        close(end)
      }
    }
  }

  deinit {
    life.kill(SIGKILL)
    if let outputEnd { close(outputEnd) }
    if let end = inputEnd.read({ $0 }) { close(end) }
  }

  /// Sends a signal; does nothing after the end of the process, also when its number has gone to another one.
  package func kill(_ signal: CInt) { life.kill(signal) }

  /// Whether it has ended.
  package var hasEnded: Bool { life.hasEnded }

  /// The lines of standard error, from the first one on.
  package var errorLines: ProcessLines { ProcessLines(stream: errorStream) }
  /// The lines of a captured standard output, from the first one on.
  package var outputLines: ProcessLines { ProcessLines(stream: outputStream) }

  /// Its end and all that it wrote; suspends until then. Cancelling the task kills it.
  package var result: ProcessResult {
    get async {
      await withTaskCancellationHandler {
        let end = await life.end()
        // The streams end with the process, except where a child of its own lives on.
        await drain(outputStream)
        await drain(errorStream)
        return ProcessResult(
          end: end.signal == 0 ? .exited(Int(end.status)) : .signalled(end.signal), output: outputStream.bytes,
          error: errorStream.bytes)
      } onCancel: {
        life.kill(SIGKILL)
      }
    }
  }

  /// Up to `count` bytes of a standard output that is read on demand; empty at its end.
  package func readOutput(atMost count: Int) async throws(Errno) -> [UInt8] {
    guard let outputEnd else { return [] }
    return try await DedicatedThread.run(name: "test output") { [self] in
      // Holds the process, and with it the descriptor, until the call is over.
      withExtendedLifetime(self) { readSome(from: outputEnd, atMost: count) }
    }
  }

  /// Writes to its standard input, if that was said to be written.
  package func write(_ bytes: [UInt8]) async throws(Errno) {
    guard let end = inputEnd.read({ $0 }) else { return }
    try await DedicatedThread.run(name: "test input") { [self] in
      withExtendedLifetime(self) { writeAll(bytes, to: end) }
    }
  }

  /// Ends its standard input. Not while something is being written.
  package func closeInput() {
    let end = inputEnd.change { end in
      defer { end = nil }
      return end
    }
    if let end { close(end) }
  }

  private func drain(_ stream: CollectedStream) async {
    for await _ in ProcessLines(stream: stream) {}
  }

  private static func collect(_ end: CInt, into stream: CollectedStream) throws(Errno) {
    _ = try DedicatedThread(name: "test reader") {
      while true {
        let bytes = readSome(from: end, atMost: 65_536)
        guard !bytes.isEmpty else { break }
        stream.append(bytes[...])
      }
      close(end)
      stream.end()
    }
  }
}

private func readSome(from descriptor: CInt, atMost limit: Int) -> [UInt8] {
  var buffer = [UInt8](repeating: 0, count: limit)
  var count = 0
  repeat { count = unsafe read(descriptor, &buffer, limit) } while count < 0 && errno == EINTR
  return Array(buffer.prefix(max(0, count)))
}

/// Writes until done or nobody reads any more. The signal that would come then is kept from this thread, which ends here.
private func writeAll(_ bytes: [UInt8], to descriptor: CInt) {
  var signals = sigset_t()
  unsafe sigemptyset(&signals)
  unsafe sigaddset(&signals, SIGPIPE)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  var done = 0
  while done < bytes.count {
    let count = unsafe bytes.withUnsafeBytes { raw in
      // Inside the array: `done` is less than its count.
      unsafe write(descriptor, raw.baseAddress.map { unsafe $0 + done }, raw.count - done)
    }
    guard count > 0 else { return }
    done += count
  }
}
