internal import ChunkCore
internal import ChunkStore

/// In which form a source has the file.
enum SourceForm: Sendable, Hashable {
  /// As it is: any range of it can be asked for.
  case file
  /// As a pack: one frame a chunk, one behind the other.
  case pack
  /// As a store: one object a chunk.
  case store

  /// The form that the metadata of a manifest says.
  init?(_ kind: ManifestMetadata.Source.Kind) {
    switch kind {
    case .file: self = .file
    case .pack: self = .pack
    case .store: self = .store
    default: return nil
    }
  }

  /// What the metadata of a manifest calls it.
  var kind: ManifestMetadata.Source.Kind {
    switch self {
    case .file: .file
    case .pack: .pack
    case .store: .store
    }
  }
}

/// What the body of the answer to a request is.
enum SpanForm: Sendable, Hashable {
  /// Bytes of the file.
  case file
  /// Frames of the pack.
  case pack
  /// The only chunk of the span, as it lies in a store.
  case object(StoreLayout.Form)

  /// A chunk comes as a frame, of which a part is of no use.
  var isEncoded: Bool {
    switch self {
    case .file, .object(.plain): false
    case .pack, .object(.compressed): true
    }
  }
}
