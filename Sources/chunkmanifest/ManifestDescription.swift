internal import ChunkCore
internal import CommandSupport

/// What `show` says of a manifest, for people and for programs.
struct ManifestDescription {
  private let manifest: Manifest
  private let pack: PackDescription?

  init(_ stored: StoredManifest) {
    manifest = stored.manifest
    pack = PackDescription(stored)
  }

  /// A line for each fact. What the publisher says is escaped.
  var text: String {
    let geometry = manifest.geometry
    var facts: [(name: String, value: String)] = [
      ("file ID", "\(manifest.fileID)"), ("root", manifest.root.hex), ("length", Self.size(geometry.fileLength)),
      ("chunk size", Self.size(UInt64(geometry.chunkSize.bytes))), ("chunks", "\(geometry.chunkCount)"),
    ]
    if let metadata = manifest.metadata { facts += Self.facts(of: metadata) }
    if let pack { facts.append(("pack", pack.text)) }
    facts += manifest.sections.sections.map { section in
      ("section", "\(section.type), \(Self.size(section.range.count)) at \(section.range.offset)")
    }
    return facts.map { "\(TextWidth.fit($0.name, toColumns: 12))\($0.value)\n" }.joined()
  }

  private static func facts(of metadata: ManifestMetadata) -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = []
    if let name = metadata.name { facts.append(("name", SafeText.escape(name))) }
    if let mediaType = metadata.mediaType { facts.append(("media type", SafeText.escape(mediaType))) }
    if let sha256 = metadata.sha256 { facts.append(("SHA-256", sha256.hex)) }
    facts += metadata.sources.map { ("source", "\($0.kind) \(SafeText.escape($0.url))") }
    if let comment = metadata.comment { facts.append(("comment", SafeText.escape(comment))) }
    return facts
  }

  private static func size(_ bytes: UInt64) -> String {
    bytes < 1024 ? "\(bytes) bytes" : "\(bytes) bytes (\(ByteSize(bytes: bytes)))"
  }

  var json: JSONLine {
    let geometry = manifest.geometry
    return [
      "fileID": .string(manifest.fileID.description), "root": .string(manifest.root.hex),
      "fileLength": .unsigned(geometry.fileLength), "chunkSize": .unsigned(UInt64(geometry.chunkSize.bytes)),
      "chunkCount": .unsigned(UInt64(geometry.chunkCount)), "groupCount": .unsigned(UInt64(geometry.groupCount)),
      "manifestLength": .unsigned(manifest.totalLength),
      "metadata": manifest.metadata.map(Self.json) ?? nil, "pack": pack?.json ?? nil,
      "sections": .array(
        manifest.sections.sections.map { section in
          [
            "type": .string(section.type.description), "offset": .unsigned(section.range.offset),
            "length": .unsigned(section.range.count),
          ]
        }),
    ]
  }

  /// The members as they stand in the manifest.
  private static func json(_ metadata: ManifestMetadata) -> JSONLine {
    var members: [(name: String, value: JSONLine)] = []
    if let comment = metadata.comment { members.append(("comment", .string(comment))) }
    if let mediaType = metadata.mediaType { members.append(("mediaType", .string(mediaType))) }
    if let name = metadata.name { members.append(("name", .string(name))) }
    if let sha256 = metadata.sha256 { members.append(("sha256", .string(sha256.hex))) }
    if !metadata.sources.isEmpty {
      let sources = metadata.sources.map { source -> JSONLine in
        ["kind": .string(source.kind.description), "url": .string(source.url)]
      }
      members.append(("sources", .array(sources)))
    }
    return .object(members)
  }
}
