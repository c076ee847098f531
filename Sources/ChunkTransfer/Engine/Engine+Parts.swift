internal import ChunkCore
internal import ChunkHTTP
internal import ChunkStore

extension Engine {
  /// What an engine works with. `PayloadFetch` puts it together.
  struct Parts {
    let geometry: ChunkGeometry
    let fetcher: any RangeFetching
    let pool: BufferPool
    let here: SharedChunkSet
    /// What the survey has found to be missing so far; nil when all is wanted from the beginning.
    let asked: SharedChunkSet?
    /// nil without a manifest.
    let pages: LeafPages?
    let inbox: EventQueue
    /// In unverified mode: the version all bytes must come from.
    let version: Validator?
    let makeRequest: (SpanRequest) -> RangeRequest
    let redirects: (HTTPURL) -> RedirectChain
    /// Returns at once; what it finds comes as an event.
    let recheckManifest: () -> Void
    let observe: (EngineState) -> Void
    /// nil when nobody wants the story told.
    let trace: (@Sendable (TransferTrace) -> Void)?
  }
}
