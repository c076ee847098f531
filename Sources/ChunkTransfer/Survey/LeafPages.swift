internal import ChunkCore
internal import ChunkSystem

/// The leaf pages of the groups that have chunks outstanding, so that an arriving chunk finds the ID it must have.
///
/// A page is kept while a chunk of its group is still to come. Only so many groups are open at once: memory does not
/// grow with the file. Thread-safe.
final class LeafPages: Sendable {
  private struct OpenGroup {
    let page: LeafPage
    var takesRoom: Bool
    var outstanding: Set<ChunkIndex>
  }

  private let geometry: ChunkGeometry
  private let groups = Lock<[Int: OpenGroup]>([:])
  private let room: WorkQueue<Void>

  /// Room for `maximum` open groups, 32 KiB of memory each.
  init(geometry: ChunkGeometry, maximum: Int) {
    self.geometry = geometry
    room = WorkQueue(limit: maximum)
    for _ in 0..<maximum { room.push(()) }
  }

  /// Waits until another group may be opened; false when the transfer is over.
  func waitForRoom() -> Bool {
    room.pop(upTo: 1)?.isEmpty == false
  }

  /// Keeps `page` until these of its chunks have been completed. With `takesRoom` the caller has waited for room; the place
  /// is given back at once when the group has one already.
  func open(_ page: LeafPage, outstanding: [ChunkIndex], takesRoom: Bool = true) {
    let hadRoom = groups.withLock { groups in
      var group = groups[page.group] ?? OpenGroup(page: page, takesRoom: false, outstanding: [])
      let hadRoom = group.takesRoom
      group.takesRoom = hadRoom || takesRoom
      group.outstanding.formUnion(outstanding)
      groups[page.group] = group
      return hadRoom
    }
    if takesRoom, hadRoom { room.push(()) }
  }

  /// The ID that a chunk must have, or nil when nothing of its group is outstanding.
  func id(of chunk: ChunkIndex) -> ChunkID? {
    groups.withLock { $0[geometry.group(of: chunk)]?.page[chunk] }
  }

  /// A chunk has come. Saying so twice, or of a chunk that was never outstanding, changes nothing.
  func completed(_ chunk: ChunkIndex) {
    let group = geometry.group(of: chunk)
    let givesRoom = groups.withLock { groups in
      guard var open = groups[group] else { return false }
      open.outstanding.remove(chunk)
      groups[group] = open.outstanding.isEmpty ? nil : open
      return open.outstanding.isEmpty && open.takesRoom
    }
    if givesRoom { room.push(()) }
  }

  /// Lets everyone who waits go on, to find that the transfer is over.
  func close() {
    room.close()
  }
}
