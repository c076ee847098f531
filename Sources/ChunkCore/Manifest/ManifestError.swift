/// Why bytes are not a manifest, or not the one that was asked for.
///
/// Two errors are equal when their codes are; the messages are for people and may change. Trying again with the same
/// bytes gives the same error.
public struct ManifestError: Error, Sendable {
  /// What is wrong, of a bounded set.
  public let code: Code
  /// What is wrong, in a sentence without a full stop, with the numbers that matter.
  public let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}

extension ManifestError: Equatable {
  /// Whether both have the same code.
  public static func == (left: ManifestError, right: ManifestError) -> Bool {
    left.code == right.code
  }
}

extension ManifestError: CustomStringConvertible {
  /// Same as ``message``.
  public var description: String { message }
}

extension ManifestError {
  /// The kinds of ``ManifestError``. `Spec/manifest-v1.md` lists them and the order in which a reader looks for them.
  public struct Code: Hashable, Sendable {
    private enum Name: String {
      case notAManifest, unsupportedVersion, truncated, invalidHeader, tooLarge, invalidSectionTable, unknownSection
      case trailingBytes, checksumMismatch, invalidMetadata, rootMismatch, pinMismatch, invalidPack, pageMismatch
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The bytes do not begin like a manifest: the file is something else.
    public static let notAManifest = Code(.notAManifest)
    /// A manifest of a version this code does not read.
    public static let unsupportedVersion = Code(.unsupportedVersion)
    /// The bytes end before what has to be read does.
    public static let truncated = Code(.truncated)
    /// A field of the header has a value it cannot have.
    public static let invalidHeader = Code(.invalidHeader)
    /// A stated limit is exceeded: 2^24 chunks, 1 MiB of metadata, 1 MiB of unknown sections.
    public static let tooLarge = Code(.tooLarge)
    /// The section table contradicts itself, the format or the file length.
    public static let invalidSectionTable = Code(.invalidSectionTable)
    /// There is a section that must not be skipped and whose type is not known: a newer version is needed.
    public static let unknownSection = Code(.unknownSection)
    /// Bytes follow the end of the manifest.
    public static let trailingBytes = Code(.trailingBytes)
    /// The bytes of a section do not agree with its check: an accident on the way.
    public static let checksumMismatch = Code(.checksumMismatch)
    /// The metadata is not canonical JSON, or has members or values that are not allowed.
    public static let invalidMetadata = Code(.invalidMetadata)
    /// The group roots do not make up the root.
    public static let rootMismatch = Code(.rootMismatch)
    /// The file ID is not the one that was pinned.
    public static let pinMismatch = Code(.pinMismatch)
    /// The ends of the pack's frames do not strictly increase.
    public static let invalidPack = Code(.invalidPack)
    /// The chunk IDs of a group do not make up its root.
    public static let pageMismatch = Code(.pageMismatch)
  }
}

extension ManifestError.Code: CustomStringConvertible {
  /// The name of the code, as in `truncated`.
  public var description: String { name.rawValue }
}
