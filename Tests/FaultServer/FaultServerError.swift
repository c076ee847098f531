internal import ChunkSystem

/// Why the server could not do what was asked. Two are equal when their codes are.
package struct FaultServerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of failure.
  package enum Code: Sendable {
    /// A system call failed.
    case system
    /// The server ended while somebody waited for a condition.
    case stopped
    /// The waiting task was cancelled.
    case cancelled
  }

  package let code: Code
  package let description: String

  init(_ code: Code, _ message: String) {
    self.code = code
    description = message
  }

  init(call: String, _ number: Errno) { self.init(.system, "\(call): \(number)") }

  /// A directory or file that cannot be read.
  package static func cannotRead(_ path: String) -> FaultServerError {
    FaultServerError(.system, "\(path) cannot be read")
  }

  /// To compare with.
  package static let stopped = FaultServerError(.stopped, "the server has stopped")
  package static let cancelled = FaultServerError(.cancelled, "the task was cancelled")

  package static func == (left: FaultServerError, right: FaultServerError) -> Bool { left.code == right.code }
}
