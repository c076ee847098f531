import ChunkCore
import Testing

@testable import ChunkTransfer

@Suite struct ChunkMapTests {
  /// Members are every third.
  private func set(_ count: Int) -> ChunkSet {
    var set = ChunkSet(capacity: count)
    for chunk in stride(from: 0, to: count, by: 3) { set.insert(ChunkIndex(chunk)) }
    return set
  }

  @Test(arguments: [1, 63, 64, 65, 127, 128, 129, 300])
  func `members of a range are counted`(count: Int) {
    let set = set(count)
    for first in 0..<count {
      for last in first...count {
        #expect(set.count(in: first..<last) == (first..<last).count { $0 % 3 == 0 })
      }
    }
  }

  @Test(arguments: [0, 1, 2, 1023, 1024, 1025, 5000, 1 << 20])
  func `every chunk is in one cell`(count: Int) {
    let map = ChunkMap(chunkCount: count, here: set(count), asked: [])
    #expect(map.cells.count == min(count, 1024))
    #expect(map.cells.reduce(0) { $0 + $1.count } == count)
    #expect(map.cells.reduce(0) { $0 + $1.here } == (count + 2) / 3)
    let sizes = map.cells.map(\.count)
    #expect((sizes.max() ?? 0) - (sizes.min() ?? 0) <= 1)
  }

  @Test(arguments: [1, 2, 1023, 1024, 1025, 5000])
  func `a chunk is found in the cell that counts it`(count: Int) {
    for chunk in Set([0, 1, count / 3, count / 2, count - 2, count - 1]) where (0..<count).contains(chunk) {
      var only = ChunkSet(capacity: count)
      only.insert(ChunkIndex(chunk))
      var added = ChunkMap(chunkCount: count)
      added.add(ChunkIndex(chunk))
      #expect(ChunkMap(chunkCount: count, here: only, asked: []) == added)
    }
  }

  @Test func `what has been asked for and is here is here`() {
    var here = ChunkSet(capacity: 8)
    here.insert(ChunkIndex(2))
    let map = ChunkMap(
      chunkCount: 8, here: here, asked: [ChunkIndex(1)..<ChunkIndex(4), ChunkIndex(6)..<ChunkIndex(6)])
    #expect(map.cells.map(\.isAsked) == [false, true, false, true, false, false, false, false])
  }
}
