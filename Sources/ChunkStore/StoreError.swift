/// Why something on the disk did not work.
///
/// Errors are equal when their codes are; the rest is for people.
public struct StoreError: Error, Sendable {
  /// What kind of failure it was: the set may grow.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Kind: String {
      case diskFull, readOnly, noPermission, inputOutput, locked, notUsable, missing, changed, damaged, cancelled, other
    }

    private let kind: Kind

    private init(_ kind: Kind) {
      self.kind = kind
    }

    /// There is no room on the file system, or the user may not have more of it. What was verified is kept.
    public static let diskFull = Code(.diskFull)
    /// The file system can only be read.
    public static let readOnly = Code(.readOnly)
    /// The user may not do it.
    public static let noPermission = Code(.noPermission)
    /// The medium, or the way to it, fails.
    public static let inputOutput = Code(.inputOutput)
    /// Another process is at work on the same file.
    public static let locked = Code(.locked)
    /// What is there is of a kind that is not written to, or the name cannot be used.
    public static let notUsable = Code(.notUsable)
    /// There is no such file or directory.
    public static let missing = Code(.missing)
    /// The file changed while it was read.
    public static let changed = Code(.changed)
    /// What is there does not verify.
    public static let damaged = Code(.damaged)
    /// Whoever asked for it no longer wants it.
    public static let cancelled = Code(.cancelled)
    /// Anything else the system refused.
    public static let other = Code(.other)

    /// One word without anything of the single case, for counting.
    public var description: String { kind.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// A sentence that says what failed and, where there is something to do, what to do.
  public let message: String
  /// The file it is about.
  public let path: String

  package init(_ code: Code, _ message: String, path: String) {
    self.code = code
    self.message = message
    self.path = path
  }
}

extension StoreError: Equatable {
  /// Whether the codes are the same; message and path are not compared.
  public static func == (left: StoreError, right: StoreError) -> Bool {
    left.code == right.code
  }
}

extension StoreError: CustomStringConvertible {
  /// The path and the message. The path is as it came: to be made harmless before a terminal gets it.
  public var description: String { "\(path): \(message)" }
}
