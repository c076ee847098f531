internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore

/// Where the chunks of a span lie in what its source has.
struct SpanLayout: Sendable {
  private enum Kind: Sendable {
    /// The file, or a part of it that begins at `base`.
    case plain(base: UInt64)
    /// One frame behind the other, the first of them that of the chunk `first`.
    case frames(first: ChunkIndex, places: [ByteRange])
    /// One frame and nothing else; how long it is, its end tells.
    case frame(ChunkIndex)
  }

  let form: SpanForm
  private let kind: Kind
  private let geometry: ChunkGeometry

  /// The layout of a span of the file, or of an object that is its only chunk.
  init(_ span: SpanRequest, geometry: ChunkGeometry) {
    let first = span.chunks.lowerBound
    form = span.form
    self.geometry = geometry
    kind =
      switch span.form {
      case .file, .pack: .plain(base: 0)
      case .object(.plain): .plain(base: geometry.range(of: first).offset)
      case .object(.compressed): .frame(first)
      }
  }

  /// The layout of a span of a pack; nil when it is not known where the frames of all chunks lie.
  init?(_ span: SpanRequest, geometry: ChunkGeometry, frame: (ChunkIndex) -> ByteRange?) {
    let places = span.chunks.compactMap(frame)
    guard places.count == span.chunks.count else { return nil }
    form = span.form
    self.geometry = geometry
    kind = .frames(first: span.chunks.lowerBound, places: places)
  }

  /// Where a chunk, or its frame, lies in the resource. Of a frame whose end is not known it is the longest it can be.
  func place(of chunk: ChunkIndex) -> ByteRange {
    switch kind {
    case .plain(let base):
      let range = geometry.range(of: chunk)
      return ByteRange(offset: range.offset - base, count: range.count)
    case .frames(let first, let places):
      return places[chunk.rawValue - first.rawValue]
    case .frame:
      return ByteRange(offset: 0, count: UInt64(PackFrame.longest(of: geometry.length(of: chunk))))
    }
  }

  /// How a chunk ends: with the body, or before.
  var endsWithBody: Bool {
    if case .frame = kind { true } else { false }
  }

  /// The bytes to ask for; nil for all of the resource.
  func range(of span: SpanRequest) -> ClosedRange<UInt64>? {
    switch kind {
    case .frame: return nil
    case .plain(let base):
      if span.isWholeFile || (span.form != .file && span.firstByte == base) { return nil }
      return (span.firstByte - base)...(span.endByte - base - 1)
    case .frames(_, let places):
      guard let first = places.first, let last = places.last else { return nil }
      return first.offset...(last.end - 1)
    }
  }

  /// How long the resource is; nil when that is not known.
  func totalLength(of span: SpanRequest) -> UInt64? {
    switch span.form {
    case .file: geometry.fileLength
    case .object(.plain): UInt64(geometry.length(of: span.chunks.lowerBound))
    case .object, .pack: nil
    }
  }
}
