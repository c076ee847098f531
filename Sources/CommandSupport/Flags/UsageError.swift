/// A command line that cannot be understood: what is wrong with it and, where there is a good guess, what to type instead.
/// Ends a command with ``ExitStatus/usage``.
package struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, beginning with the words as they were typed.
  package let message: String
  /// What would be right, as a clause: `did you mean --retry?`, `use --proxy`.
  package let hint: String?

  package init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  package var description: String {
    guard let hint else { return message }
    return "\(message); \(hint)"
  }

  /// The same error, said of what was typed: `--connections 0: not a number from 1 to 64`.
  func said(of spelling: String) -> UsageError { UsageError("\(spelling): \(message)", hint: hint) }
}
