internal import ChunkCore

/// Enters what the survey has found out of chunks, and only then tells the engine.
struct Settlement: Sendable {
  let pages: LeafPages
  /// What is where it belongs.
  let here: SharedChunkSet
  /// What was asked of the network.
  let asked: SharedChunkSet
  /// nil where no source is a pack.
  var packs: PackColumn?
  let post: @Sendable (EngineEvent) -> Void

  func isSettled(_ chunk: ChunkIndex) -> Bool {
    asked.contains(chunk) || here.contains(chunk)
  }

  /// These are where they belong.
  func found(_ chunks: [ChunkIndex]) {
    guard !chunks.isEmpty else { return }
    here.insert(chunks)
    post(.found(chunks))
  }

  /// These must come from the network. Waits while too many groups are open.
  func want(_ chunks: [ChunkIndex], of page: LeafPage) {
    guard !chunks.isEmpty, pages.waitForRoom(for: page.group) else { return }
    let frames = packs?.frames(group: page.group)
    asked.insert(chunks)
    pages.open(page, frames: frames, outstanding: chunks)
    // Whoever hears of it may ask for them at once.
    if let frames { packs?.tell(frames, group: page.group) }
    // A stream of the whole file may have brought some before the group was open.
    for chunk in chunks where here.contains(chunk) { pages.completed(chunk) }
    post(.wanted(chunks))
  }
}
