internal import ChunkCore
internal import ChunkSystem

/// The leaf pages of the groups that have chunks outstanding, so that an arriving chunk finds the ID it must have.
///
/// A page is kept while a chunk of its group is still to come, so memory does not grow with the file: whoever wants to open
/// one more waits while too many are open. But not for one near the lowest that is open, or below it: the chunks of higher
/// groups may all be waiting for those of lower ones, as they do in ordered output and in a stream of the whole file. Thread-safe.
final class LeafPages: Sendable {
  private struct OpenGroup {
    let page: LeafPage
    /// nil where there is no pack.
    let frames: PackedFrames?
    var outstanding: Set<ChunkIndex>
  }

  private struct State {
    var groups: [Int: OpenGroup] = [:]
    var isClosed = false
  }

  private let geometry: ChunkGeometry
  private let maximum: Int
  private let state = Monitor(State())

  /// Room for `maximum` open groups, 32 KiB of memory each; for a few times as many when lower ones are opened late.
  init(geometry: ChunkGeometry, maximum: Int) {
    self.geometry = geometry
    self.maximum = maximum
  }

  /// Waits until the group may be opened; false when the transfer is over.
  func waitForRoom(for group: Int) -> Bool {
    let hasRoom: Bool? = state.waitToUpdate { state in
      if state.isClosed { return (false, .nobody) }
      let lowest = state.groups.keys.min() ?? group
      return state.groups.count < maximum || group < lowest + maximum ? (true, .nobody) : nil
    }
    return hasRoom ?? false
  }

  /// Keeps `page`, and where the frames of its group lie in the pack, until these of its chunks have been completed. The caller has
  /// waited for room.
  func open(_ page: LeafPage, frames: PackedFrames? = nil, outstanding: [ChunkIndex]) {
    state.update { state in
      state.groups[page.group, default: OpenGroup(page: page, frames: frames, outstanding: [])]
        .outstanding.formUnion(outstanding)
      return ((), .nobody)
    }
  }

  /// The ID that a chunk must have, or nil when nothing of its group is outstanding.
  func id(of chunk: ChunkIndex) -> ChunkID? {
    state.read { $0.groups[geometry.group(of: chunk)]?.page[chunk] }
  }

  /// Where the frame of a chunk lies in the pack; nil when nothing of its group is outstanding, or there is no pack.
  func frame(of chunk: ChunkIndex) -> ByteRange? {
    state.read { $0.groups[geometry.group(of: chunk)]?.frames?[chunk] }
  }

  /// A chunk has come. Saying so twice, or of a chunk that was never outstanding, changes nothing.
  func completed(_ chunk: ChunkIndex) {
    let group = geometry.group(of: chunk)
    state.update { state in
      guard state.groups[group]?.outstanding.remove(chunk) != nil, state.groups[group]?.outstanding.isEmpty == true
      else { return ((), .nobody) }
      state.groups[group] = nil
      return ((), .all)
    }
  }

  /// Lets everyone who waits go on, to find that the transfer is over.
  func close() {
    state.change { $0.isClosed = true }
  }
}
