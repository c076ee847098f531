internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// Where the frames of a pack lie, as the manifest claims: read by a few groups at a time, when one of them is opened.
///
/// Nothing vouches for the claims. What is impossible, or cannot be read, is an end of the pack and of nothing else. Thread-safe;
/// one thread at a time reads, the others wait.
final class PackColumn: Sendable {
  private struct State {
    var known: [PackedFrames] = []
    var told: Set<Int> = []
    var isUnusable = false
  }

  private let pages: ManifestPages
  private let geometry: ChunkGeometry
  private let post: @Sendable (EngineEvent) -> Void
  private let state = Lock(State())

  /// So many groups are read at a time: 64 KiB.
  private static let groupsAtOnce = 8
  /// So many of those are kept.
  private static let most = 4
  /// Whether a pack makes chunks smaller is decided for so many of them together, so that spans stay long.
  private static let chunksAtOnce = 64

  /// The column of the manifest of `pages`, which has one.
  init(pages: ManifestPages, post: @escaping @Sendable (EngineEvent) -> Void) {
    self.pages = pages
    geometry = pages.manifest.geometry
    self.post = post
  }

  /// Where the frames of a group lie; nil when the pack is of no use.
  func frames(group: Int) -> PackedFrames? {
    state.withLock { state in
      guard !state.isUnusable else { return nil }
      let chunks = geometry.chunks(inGroup: group)
      if let frames = known(chunks, &state) { return frames }
      state.isUnusable = true
      post(.packIsUnusable(.packColumn(of: pages.located)))
      return nil
    }
  }

  private func known(_ chunks: Range<ChunkIndex>, _ state: inout State) -> PackedFrames? {
    if let frames = state.known.first(where: { $0.chunks.contains(chunks) }) { return frames }
    let group = geometry.group(of: chunks.lowerBound)
    let first = group - group % Self.groupsAtOnce
    let groups = first..<min(first + Self.groupsAtOnce, geometry.groupCount)
    guard let frames = read(groups) else { return nil }
    state.known.insert(frames, at: 0)
    if state.known.count > Self.most { state.known.removeLast() }
    return frames
  }

  private func read(_ groups: Range<Int>) -> PackedFrames? {
    do {
      guard let range = pages.manifest.packRange(groups: groups), let bytes = try pages.column(in: range) else {
        return nil
      }
      return try pages.manifest.packedFrames(groups: groups, bytes: bytes.span)
    } catch {
      return nil
    }
  }

  /// Tells the engine which chunks of a group the pack makes smaller, once.
  func tell(_ frames: PackedFrames, group: Int) {
    let chunks = geometry.chunks(inGroup: group)
    // Who comes second is not to go on before all has been told.
    state.withLock { state in
      guard state.told.insert(group).inserted else { return }
      var start = chunks.lowerBound
      while start < chunks.upperBound {
        let run = start..<min(start.advanced(by: Self.chunksAtOnce), chunks.upperBound)
        let plain = geometry.range(of: run).count
        // A twentieth, as in a store.
        post(.packed(run, isSmaller: frames[run].count <= plain - plain / 20))
        start = run.upperBound
      }
    }
  }
}

extension HTTPFailure {
  fileprivate static func packColumn(of located: LocatedManifest) -> HTTPFailure {
    HTTPFailure(
      code: .packColumn,
      message: "the manifest \(located.name) does not say properly where what is in the pack; the pack is not used.")
  }
}

extension HTTPFailure.Code {
  static let packColumn = Self(label: "no place in the pack")
}
