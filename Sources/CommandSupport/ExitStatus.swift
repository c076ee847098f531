/// How a command ended, as the shell sees it. `ExitStatus.all` is the one table of these codes: the help prints it and
/// the Spec quotes it.
package struct ExitStatus: Hashable, Sendable, CustomStringConvertible {
  /// The number a shell finds in `$?`.
  package let code: CInt
  /// The word that stands for it in code, logs and JSON. Never changes.
  package let name: String
  /// What it means, in one line.
  package let meaning: String

  private init(_ code: CInt, _ name: String, _ meaning: String) {
    self.code = code
    self.name = name
    self.meaning = meaning
  }

  package var description: String { "\(code) (\(name))" }

  package static func == (left: ExitStatus, right: ExitStatus) -> Bool { left.code == right.code }
  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  package static let success = ExitStatus(0, "success", "every file is there, right")
  package static let failure = ExitStatus(1, "failure", "something else")
  package static let usage = ExitStatus(2, "usage", "the command line is wrong")
  package static let notTrusted = ExitStatus(
    3, "not-trusted",
    "not trusted: manifest invalid, not the pinned one, bad signature, digest mismatch, --require-verified")
  package static let unreachable = ExitStatus(4, "unreachable", "source unreachable or refusing")
  package static let sourceChanged = ExitStatus(5, "source-changed", "source changed")
  package static let wrongBytes = ExitStatus(6, "wrong-bytes", "no source has the right bytes")
  package static let disk = ExitStatus(7, "disk", "disk: full, read-only, no permission, I/O error")
  package static let locked = ExitStatus(8, "locked", "locked by another process")
  package static let interrupted = ExitStatus(130, "interrupted", "interrupted (SIGINT), can be resumed")
  package static let terminated = ExitStatus(143, "terminated", "terminated (SIGTERM), can be resumed")

  /// Every code there is, ascending.
  package static let all: [ExitStatus] = [
    success, failure, usage, notTrusted, unreachable, sourceChanged, wrongBytes, disk, locked, interrupted, terminated,
  ]

  /// The status after a signal, as shells count it: 128 and the number of the signal. Nil for a signal that no command
  /// here catches.
  package static func interruption(bySignal signal: CInt) -> ExitStatus? {
    signal > 0 ? all.first { $0.code == 128 + signal } : nil
  }
}
