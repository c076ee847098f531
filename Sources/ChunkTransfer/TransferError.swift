/// Why a transfer ended without the file.
///
/// `message` says what failed, where, and what to do. Two errors are equal when their codes are. `Sendable`.
public struct TransferError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of failure; more may come, so a switch over them needs a default.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    private enum Kind: String, Sendable {
      case invalidRequest, notTrusted, unreachable, sourceChanged, noRightBytes, disk, locked, cancelled, outputClosed
    }

    private let kind: Kind

    /// A bounded label, fit for metrics.
    public var description: String { kind.rawValue }

    /// What was asked for makes no sense: a malformed URL, an output that cannot be one.
    public static var invalidRequest: Code { Code(kind: .invalidRequest) }
    /// The manifest is invalid, not the pinned one, or a digest does not match.
    public static var notTrusted: Code { Code(kind: .notTrusted) }
    /// No source could be reached, or all refused.
    public static var unreachable: Code { Code(kind: .unreachable) }
    /// The file changed at the source while it was fetched, and nothing tells which version is wanted.
    public static var sourceChanged: Code { Code(kind: .sourceChanged) }
    /// Sources answered, but none has the bytes that the manifest names.
    public static var noRightBytes: Code { Code(kind: .noRightBytes) }
    /// The local disk failed: full, read-only, no permission, I/O error.
    public static var disk: Code { Code(kind: .disk) }
    /// Another process is writing the same output.
    public static var locked: Code { Code(kind: .locked) }
    /// The task was cancelled; what was verified is kept.
    public static var cancelled: Code { Code(kind: .cancelled) }
    /// Whoever read the output has gone away.
    public static var outputClosed: Code { Code(kind: .outputClosed) }
  }

  /// The kind of failure.
  public let code: Code
  /// One or two sentences for a person. Text from outside in it is as it came: escape it for a terminal.
  public let message: String
  /// Whether the same call may succeed later without anything being changed first.
  public let isRetryable: Bool

  package init(_ code: Code, _ message: String, isRetryable: Bool = false) {
    self.code = code
    self.message = message
    self.isRetryable = isRetryable
  }

  /// The message.
  public var description: String { message }

  /// Compares codes only, so that tests and callers can match on the kind.
  public static func == (left: TransferError, right: TransferError) -> Bool { left.code == right.code }
}
