internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem

/// Which chunks of a partial have data, looked up once for each group, whoever asks first.
///
/// The kernel's answer changes while the survey runs, in both directions: reserved blocks that were merely read, or read
/// ahead, count as data for as long as their zeros are in the page cache. Two passes that asked for themselves could each take
/// a chunk for the other's.
///
/// A group takes 128 bytes between the first question and the second, which is the last. Any thread may ask.
final class DataMap: Sendable {
  private struct State {
    var groups: [Int: ChunkSet] = [:]
    /// The end of what was looked through, and the data that begins there or later; nil when there is none. On some file
    /// systems finding the end of a hole means walking through all of it.
    var next: (from: UInt64, data: ByteRange?)?
  }

  private let geometry: ChunkGeometry
  private let partial: PartialFile
  private let state = Lock(State())

  init(geometry: ChunkGeometry, partial: PartialFile) {
    self.geometry = geometry
    self.partial = partial
  }

  /// The chunks of a group that have data. The second time it is asked, the answer of the first time, which is forgotten then.
  func chunksWithData(inGroup group: Int) throws(TransferError) -> [ChunkIndex] {
    let found = state.withLock { state in
      Result { () throws(StoreError) in
        if let known = state.groups.removeValue(forKey: group) { return known }
        let found = try lookUp(group, &state)
        state.groups[group] = found
        return found
      }
    }
    do throws(StoreError) {
      let chunks = geometry.chunks(inGroup: group)
      let offsets = try found.get()
      return chunks.filter { offsets.contains(ChunkIndex($0.rawValue - chunks.lowerBound.rawValue)) }
    } catch {
      throw TransferError(error)
    }
  }

  /// A set of places in the group.
  private func lookUp(_ group: Int, _ state: inout State) throws(StoreError) -> ChunkSet {
    let chunks = geometry.chunks(inGroup: group)
    let bytes = geometry.range(of: chunks)
    var found = ChunkSet(capacity: chunks.count)
    var offset = bytes.offset
    while offset < bytes.end, let data = try nextData(from: offset, &state), data.offset < bytes.end {
      let first = max(geometry.chunk(at: data.offset), chunks.lowerBound)
      let last = geometry.chunk(at: min(data.end, bytes.end) - 1)
      for chunk in first...last { found.insert(ChunkIndex(chunk.rawValue - chunks.lowerBound.rawValue)) }
      offset = data.end
    }
    return found
  }

  private func nextData(from offset: UInt64, _ state: inout State) throws(StoreError) -> ByteRange? {
    if let next = state.next, next.from <= offset, next.data.map({ offset <= $0.offset }) ?? true { return next.data }
    let data = try partial.nextData(from: offset)
    state.next = (offset, data)
    return data
  }
}
