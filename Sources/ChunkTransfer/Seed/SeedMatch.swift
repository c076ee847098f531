internal import ChunkCore
internal import ChunkStore

/// A chunk, and where in a seed it may be.
struct SeedMatch: Sendable {
  let chunk: ExpectedChunk
  let offset: UInt64

  /// Chunks that follow one another in the file as well as in the seed.
  struct Run {
    var chunks: [ExpectedChunk]
    var source: ByteRange
    let target: UInt64
  }

  /// The matches, which are ascending, in as few runs as possible.
  static func runs(_ matches: [SeedMatch], _ geometry: ChunkGeometry) -> [Run] {
    var runs: [Run] = []
    for match in matches {
      let target = geometry.range(of: match.chunk.index)
      if let last = runs.last, last.source.end == match.offset, last.target + last.source.count == target.offset {
        runs[runs.count - 1].chunks.append(match.chunk)
        runs[runs.count - 1].source = ByteRange(offset: last.source.offset, count: last.source.count + target.count)
      } else {
        runs.append(
          Run(
            chunks: [match.chunk], source: ByteRange(offset: match.offset, count: target.count), target: target.offset))
      }
    }
    return runs
  }
}
