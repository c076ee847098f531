internal import ChunkCore
internal import ChunkHTTP

extension EngineEvent {
  /// What there is to tell of it, given what the scheduler knew before; nil when that is nothing.
  func trace(_ scheduler: Scheduler) -> TransferTrace? {
    let geometry = scheduler.geometry
    switch self {
    case .found(let chunks):
      let found = chunks.filter { !scheduler.here.contains($0) }
      let bytes = found.reduce(0) { $0 + UInt64(geometry.length(of: $1)) }
      return .found(chunks: found.map(\.rawValue), bytes: bytes)
    case .verified(let arrival, let source) where !scheduler.here.contains(arrival.chunk):
      let bytes = UInt64(geometry.length(of: arrival.chunk))
      return .verified(chunk: arrival.chunk.rawValue, bytes: bytes, source: source?.rawValue)
    case .wrong(let arrival, let contributors):
      return .wrong(chunk: arrival.chunk.rawValue, sources: contributors.map(\.rawValue).sorted())
    case .ended(let id, .failed(let failure), _, _):
      guard let source = scheduler.requests[id]?.span.source else { return nil }
      return .failed(source: source.rawValue, reason: failure.message)
    default:
      return nil
    }
  }
}
