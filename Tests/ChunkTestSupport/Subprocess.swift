package import ChunkSystem

/// A program to be run, as a value: `try await Subprocess("chunkget", [url]).run()`.
package struct Subprocess: Sendable {
  /// An absolute path.
  package var executable: String
  package var arguments: [String]
  /// What is added to the environment of the tests, or with nil taken out of it.
  package var environment: [String: String?] = [:]
  /// Where it runs; nil for where the tests do.
  package var directory: String?
  package var input = Input.nothing
  package var output = Output.captured
  /// A descriptor it gets as its number 3, which stays the caller's; for sockets that are handed on.
  package var inherited: CInt?
  /// Whether signals go to the children it has as well.
  package var leadsGroup = false

  /// What it reads.
  package enum Input: Sendable {
    case nothing
    case bytes([UInt8])
    /// What the test writes with `RunningProcess.write`, until `closeInput`.
    case written
  }

  /// What becomes of its standard output. Standard error is always captured.
  package enum Output: Sendable {
    case captured
    case discarded
    /// A file, made new.
    case file(String)
    /// Nothing is read until the test asks with `RunningProcess.readOutput`, so that the pipe fills up.
    case onDemand
  }

  /// A product of this package by its name, a program of the machine by its name, or anything by an absolute path.
  package init(_ program: String, _ arguments: [String] = []) {
    if program.hasPrefix("/") {
      executable = program
    } else {
      let product = PackagePaths.product(program)
      executable = TestFile.exists(product) ? product : Machine.path(of: program) ?? product
    }
    self.arguments = arguments
  }

  /// The same program under a shell that kills it, with everything it started, as soon as this process is gone, however it
  /// went. For servers: a test run that is killed runs no `deinit`, and its servers would stay.
  package func endingWithTests() -> Subprocess {
    // The shell reads what nobody writes, so the read returns when the last other end of its input closes, which is ours.
    // It does not keep the socket that is handed on.
    let script = "{ \"$@\"; kill -9 0; } & exec 3>&-; read -r nothing; kill -9 0"
    var guarded = self
    guarded.executable = "/bin/sh"
    guarded.arguments = ["-c", script, "sh", executable] + arguments
    guarded.input = .written
    guarded.leadsGroup = true
    return guarded
  }

  /// Starts it and waits for its end. Cancelling the task kills it.
  package func run() async throws(Errno) -> ProcessResult {
    try await start().result
  }

  /// Starts it.
  package func start() throws(Errno) -> RunningProcess { try RunningProcess(self) }
}

/// What a process left behind.
package struct ProcessResult: Sendable, CustomStringConvertible {
  package let end: End
  package let output: [UInt8]
  package let error: [UInt8]

  /// How a process ended.
  package enum End: Hashable, Sendable {
    case exited(Int)
    case signalled(CInt)
  }

  /// The exit status; -1 after a signal.
  package var status: Int { if case .exited(let status) = end { status } else { -1 } }
  package var outputText: String { String(decoding: output, as: UTF8.self) }
  package var errorText: String { String(decoding: error, as: UTF8.self) }
  package var errorLines: [String] { errorText.split(separator: "\n").map(String.init) }

  /// Whether its output is this. To be preferred to `==` inside an expectation, which, when it fails, looks for the shortest
  /// list of differences; that of two files takes hours.
  package func hasOutput(_ bytes: some Collection<UInt8>) -> Bool { output.elementsEqual(bytes) }

  /// For the message of a failed expectation.
  package var description: String { "\(end)\n\(errorText.suffix(4000))" }
}
