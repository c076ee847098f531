/// What a publisher says about a file beside its content: all of it optional, and none of it under the root.
///
/// A value that exists keeps to the rules of the format. A reader shows it, and may follow the sources within its rules
/// for such; whatever it says, no wrong byte is accepted because of it.
public struct ManifestMetadata: Sendable {
  /// The file's name at the publisher's: one path component of 1 to 242 bytes, never `.` or `..`, without a slash or
  /// control characters. Even so, it is to be shown and not to be used as a path.
  public let name: String?
  /// The media type of the file: 1 to 255 printable ASCII characters.
  public let mediaType: String?
  /// The SHA-256 of the whole file.
  public let sha256: SHA256Digest?
  /// Where the content can be had, in the publisher's order; at most 64.
  public let sources: [Source]
  /// Text for people, not empty. It may have any characters: escape it before it reaches a terminal.
  public let comment: String?

  /// Metadata of these members.
  ///
  /// - Throws: ``ManifestError`` with the code ``ManifestError/Code/invalidMetadata`` when one is not as said there.
  public init(
    comment: String? = nil, mediaType: String? = nil, name: String? = nil, sha256: SHA256Digest? = nil,
    sources: [Source] = []
  ) throws(ManifestError) {
    if let name, !Self.isFileName(name) {
      throw ManifestError(.invalidMetadata, "the name in the metadata is not a file name of at most 242 bytes")
    }
    if let mediaType, !mediaType.isASCII(0x20...0x7E, lengths: 1...255) {
      throw ManifestError(.invalidMetadata, "the media type in the metadata is not 1 to 255 printable characters")
    }
    if let comment, comment.isEmpty {
      throw ManifestError(.invalidMetadata, "the comment in the metadata is empty")
    }
    guard sources.count <= ManifestLimits.sources else {
      throw ManifestError(
        .invalidMetadata, "the metadata has \(sources.count) sources; \(ManifestLimits.sources) are allowed")
    }
    self.name = name
    self.mediaType = mediaType
    self.sha256 = sha256
    self.sources = sources
    self.comment = comment
  }

  /// Whether no member is there; the manifest of such a file is written without metadata.
  public var isEmpty: Bool {
    name == nil && mediaType == nil && sha256 == nil && sources.isEmpty && comment == nil
  }

  /// Whether `name` may stand in metadata: one path component of 1 to 242 bytes that names a file.
  package static func isFileName(_ name: String) -> Bool {
    let forbidden: (UInt8) -> Bool = { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") }
    return (1...242).contains(name.utf8.count) && name != "." && name != ".." && !name.utf8.contains(where: forbidden)
  }
}

extension ManifestMetadata: Equatable {
  /// Whether both have the same bytes in a manifest. Swift's equality of strings would call some different ones equal.
  public static func == (left: ManifestMetadata, right: ManifestMetadata) -> Bool {
    left.canonicalJSON() == right.canonicalJSON()
  }
}

extension ManifestMetadata {
  /// A place that has the content.
  public struct Source: Hashable, Sendable {
    /// The form in which the content lies there.
    public let kind: Kind
    /// A URI reference, relative to the manifest's own URL: 1 to 2048 printable ASCII characters without a space. Its
    /// scheme is not judged here; whoever follows it leaves out what is not allowed.
    public let url: String

    /// A place that has the content in that form.
    ///
    /// - Throws: ``ManifestError`` with the code ``ManifestError/Code/invalidMetadata`` when `url` is not as said there.
    public init(kind: Kind, url: String) throws(ManifestError) {
      guard url.isASCII(0x21...0x7E, lengths: 1...2048) else {
        throw ManifestError(
          .invalidMetadata, "the URL of a source in the metadata is not 1 to 2048 printable characters")
      }
      self.kind = kind
      self.url = url
    }

    /// The forms in which content can lie somewhere.
    public struct Kind: Hashable, Sendable {
      private enum Name: String {
        case file, pack, store
      }

      private let name: Name

      /// The plain file.
      public static let file = Kind(name: .file)
      /// The compressed pack, one frame a chunk.
      public static let pack = Kind(name: .pack)
      /// A store, one object a chunk.
      public static let store = Kind(name: .store)

      private init(name: Name) {
        self.name = name
      }

      init?(_ text: String) {
        guard let name = Name(rawValue: text) else { return nil }
        self.name = name
      }
    }
  }
}

extension ManifestMetadata.Source.Kind: CustomStringConvertible {
  /// The kind's name in the format, as in `file`.
  public var description: String { name.rawValue }
}

extension String {
  /// Whether all bytes lie in `allowed` and their number in `lengths`.
  fileprivate func isASCII(_ allowed: ClosedRange<UInt8>, lengths: ClosedRange<Int>) -> Bool {
    lengths.contains(utf8.count) && utf8.allSatisfy(allowed.contains)
  }
}
