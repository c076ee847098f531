internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import Synchronization

/// Finds out what of a file without a manifest is on disk, by what an earlier run learned of it.
///
/// First all that cannot be here is wanted, at once; then what has data and is known is hashed, on all cores. As in
/// ``Survey``, nothing is written to a chunk before it is in `asked`.
final class LearnedSurvey: Sendable {
  private let geometry: ChunkGeometry
  private let partial: PartialFile
  private let learned: LearnedFile
  private let data: DataMap
  private let here: SharedChunkSet
  private let asked: SharedChunkSet
  private let post: @Sendable (EngineEvent) -> Void
  private let isStopped = Atomic(false)

  init(
    geometry: ChunkGeometry, partial: PartialFile, learned: LearnedFile, here: SharedChunkSet, asked: SharedChunkSet,
    post: @escaping @Sendable (EngineEvent) -> Void
  ) {
    self.geometry = geometry
    self.partial = partial
    self.learned = learned
    data = DataMap(geometry: geometry, partial: partial)
    self.here = here
    self.asked = asked
    self.post = post
  }

  /// Starts it. `stop` ends it early; the caller joins the thread.
  func start() throws(Errno) -> [DedicatedThread] {
    [
      try DedicatedThread(name: "survey") { [self] in
        do throws(TransferError) {
          for group in 0..<geometry.groupCount where !stopped {
            let known = Set(try candidates(inGroup: group).map(\.index))
            want(geometry.chunks(inGroup: group).filter { !known.contains($0) })
          }
          for group in 0..<geometry.groupCount where !stopped { try look(at: candidates(inGroup: group)) }
          if !stopped { post(.surveyEnded) }
        } catch {
          post(.surveyFailed(error))
        }
      }
    ]
  }

  /// Lets it end soon.
  func stop() { isStopped.store(true, ordering: .releasing) }

  private var stopped: Bool { isStopped.load(ordering: .acquiring) }

  /// The chunks of a group that may be here: they have data, and it is known what it should be.
  private func candidates(inGroup group: Int) throws(TransferError) -> [ExpectedChunk] {
    let withData = Set(try data.chunksWithData(inGroup: group))
    guard !withData.isEmpty else { return [] }
    return learned.learned(of: geometry.chunks(inGroup: group)).filter {
      withData.contains($0.index) && !asked.contains($0.index)
    }
  }

  private func look(at chunks: [ExpectedChunk]) throws(TransferError) {
    guard !chunks.isEmpty else { return }
    let scan = ParallelScan(geometry: geometry, file: partial.file)
    let contents = try scan.contents(of: chunks.map(\.index)) { self.stopped }
    if stopped { return }
    func isRight(_ chunk: ExpectedChunk) -> Bool {
      contents[chunk.index]?.id(length: geometry.length(of: chunk.index)) == chunk.id
    }
    let found = chunks.filter(isRight).map(\.index)
    here.insert(found)
    post(.found(found))
    want(chunks.filter { !isRight($0) }.map(\.index))
  }

  private func want(_ chunks: [ChunkIndex]) {
    guard !chunks.isEmpty else { return }
    asked.insert(chunks)
    post(.wanted(chunks))
  }
}
