internal import ChunkCore
internal import CommandSupport

/// What `show` says of the pack that a manifest tells of.
enum PackDescription {
  /// Its length in bytes, and that of the file.
  case usable(UInt64, of: UInt64)
  /// What is impossible about it.
  case unusable(String)

  /// Nil when the manifest tells of none.
  init?(_ stored: StoredManifest) {
    let geometry = stored.manifest.geometry
    do throws(ManifestError) {
      guard let frames = try stored.packedFrames() else { return nil }
      let end = frames.last.map { $0[$0.chunks].end } ?? 0
      self = .usable(end + SeekTable(geometry).length, of: geometry.fileLength)
    } catch {
      self = .unusable(error.message)
    }
  }

  var text: String {
    switch self {
    case .usable(let length, 0): "\(length) bytes"
    case .usable(let length, let whole):
      "\(length) bytes (\(ByteSize(bytes: length))), \(length * 100 / whole) % of the file"
    case .unusable(let reason): "not usable: \(SafeText.escape(reason))"
    }
  }

  var json: JSONLine {
    switch self {
    case .usable(let length, _): ["length": .unsigned(length)]
    case .unusable(let reason): ["error": .string(reason)]
    }
  }
}
