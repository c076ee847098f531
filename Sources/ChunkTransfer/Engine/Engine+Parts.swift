internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore

extension Engine {
  /// What an engine works with. `PayloadFetch` puts it together.
  struct Parts {
    let geometry: ChunkGeometry
    let fetcher: any RangeFetching
    let pool: BufferPool
    /// Where frames arrive.
    let frames: BufferPool
    let here: SharedChunkSet
    /// What the survey has found to be missing so far; nil when all is wanted from the beginning.
    let asked: SharedChunkSet?
    /// nil without a manifest.
    let pages: LeafPages?
    let inbox: EventQueue
    /// In unverified mode: the version all bytes must come from.
    let version: Validator?
    let makeRequest: (SpanRequest, SpanLayout) -> RangeRequest
    let redirects: (HTTPURL) -> RedirectChain
    /// Returns at once; what it finds comes as an event.
    let recheckManifest: () -> Void
    let observe: (EngineState) -> Void
    /// nil when nobody wants the story told.
    let trace: (@Sendable (TransferTrace) -> Void)?
  }
}

extension Engine.Parts {
  /// The span with the URL it is really at, which in a store is that of the object; and what is where in its answer. nil when that
  /// is not known any more.
  func placed(_ span: SpanRequest) -> (SpanRequest, SpanLayout)? {
    switch span.form {
    case .file: return (span, SpanLayout(span, geometry: geometry))
    case .pack:
      return SpanLayout(span, geometry: geometry) { pages?.frame(of: $0) }.map { (span, $0) }
    case .object(let form):
      guard let id = pages?.id(of: span.chunks.lowerBound) else { return nil }
      let slash = span.url.path.hasSuffix("/") ? "" : "/"
      let object = span.moved(to: span.url.appending(pathSuffix: slash + StoreLayout.chunk(id, form)))
      return (object, SpanLayout(object, geometry: geometry))
    }
  }
}

extension HTTPFailure {
  /// Pages are kept as long as a chunk of them is outstanding, so this is a slip of ours, which is not to hang anybody.
  static func placeUnknown(_ url: HTTPURL) -> HTTPFailure {
    HTTPFailure(
      code: .placeUnknown, message: "\(url): where the chunk lies there is not known any more.", url: url.description)
  }
}

extension HTTPFailure.Code {
  static let placeUnknown = Self(label: "place unknown")
}
