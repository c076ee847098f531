extension ManifestMetadata {
  /// The bytes of the metadata in a manifest: RFC 8785, the members that are there sorted by name.
  package func canonicalJSON() -> [UInt8] {
    var object = CanonicalJSONObject()
    object.append("comment", comment)
    object.append("mediaType", mediaType)
    object.append("name", name)
    object.append("sha256", sha256?.hex)
    if !sources.isEmpty {
      object.append(
        "sources",
        sources.map { source in
          var object = CanonicalJSONObject()
          object.append("kind", source.kind.description)
          object.append("url", source.url)
          return object
        })
    }
    return object.closed
  }

  /// Reads what ``canonicalJSON()`` writes, and nothing else: a value has one spelling, so that every byte of it is
  /// accounted for.
  package init(canonicalJSON json: Span<UInt8>) throws(ManifestError) {
    guard let scanner = CanonicalJSONScanner(json) else {
      throw ManifestError(.invalidMetadata, "the metadata is not UTF-8")
    }
    var reader = MetadataReader(scanner: scanner)
    try reader.require("{")
    try self.init(
      comment: try reader.text(of: "comment"),
      mediaType: try reader.text(of: "mediaType"),
      name: try reader.text(of: "name"),
      sha256: try reader.digest(of: "sha256"),
      sources: try reader.sources())
    try reader.require("}")
    guard reader.scanner.isAtEnd else { throw MetadataReader.notCanonical }
  }
}

/// The members of metadata in their order, each present or not.
private struct MetadataReader {
  static let notCanonical = ManifestError(
    .invalidMetadata, "the metadata is not canonical JSON of the members this version knows")

  var scanner: CanonicalJSONScanner
  private var isFirst = true

  init(scanner: CanonicalJSONScanner) {
    self.scanner = scanner
  }

  mutating func require(_ text: String) throws(ManifestError) {
    guard scanner.take(text) else { throw Self.notCanonical }
  }

  mutating func text(of member: String) throws(ManifestError) -> String? {
    begins(member) ? try string() : nil
  }

  mutating func digest(of member: String) throws(ManifestError) -> SHA256Digest? {
    guard let hex = try text(of: member) else { return nil }
    guard let digest = SHA256Digest(hex: hex), digest.hex == hex else {
      throw ManifestError(.invalidMetadata, "the SHA-256 in the metadata is not 64 lower-case hexadecimal digits")
    }
    return digest
  }

  mutating func sources() throws(ManifestError) -> [ManifestMetadata.Source] {
    guard begins("sources") else { return [] }
    try require("[")
    var sources: [ManifestMetadata.Source] = []
    repeat {
      sources.append(try source())
    } while scanner.take(",")
    try require("]")
    return sources
  }

  private mutating func source() throws(ManifestError) -> ManifestMetadata.Source {
    try require("{\"kind\":")
    guard let kind = ManifestMetadata.Source.Kind(try string()) else {
      throw ManifestError(.invalidMetadata, "the metadata has a source of a kind that is not known")
    }
    try require(",\"url\":")
    let source = try ManifestMetadata.Source(kind: kind, url: try string())
    try require("}")
    return source
  }

  private mutating func string() throws(ManifestError) -> String {
    guard let text = scanner.takeString() else { throw Self.notCanonical }
    return text
  }

  /// Goes past the member's name and colon, and the comma before it, when that member comes next.
  private mutating func begins(_ member: String) -> Bool {
    guard scanner.take("\(isFirst ? "" : ",")\"\(member)\":") else { return false }
    isFirst = false
    return true
  }
}
