import CHashKernels
import ChunkCore
import Glibc
import Testing

/// A kernel that reads one byte before or after a chunk kills these tests: every chunk lies between pages that cannot
/// be read.
@Suite struct HashBoundsTests {
  private static let lengths = Array(0...130) + [191, 192, 193, 1023, 1024, 1025, 4095, 4096]

  @Test(arguments: HashKernel.available)
  func readsNothingBehindAChunk(kernel: HashKernel) {
    let fences = (0..<16).map { FencedPage(seed: $0) }
    for length in Self.lengths {
      let chunks = fences.map { FencedChunk(page: $0, range: FencedPage.byteCount - length..<FencedPage.byteCount) }
      for count in [1, 4, 11, 16] { check(kernel, Array(chunks.prefix(count))) }
    }
  }

  @Test(arguments: HashKernel.available)
  func readsNothingBeforeAChunk(kernel: HashKernel) {
    let fences = (0..<16).map { FencedPage(seed: $0) }
    for length in Self.lengths {
      check(kernel, fences.map { FencedChunk(page: $0, range: 0..<length) })
    }
  }

  @Test(arguments: HashKernel.available)
  func readsNothingBehindAStrip(kernel: HashKernel) {
    let chunk = FencedChunk(page: FencedPage(seed: 1), range: 0..<FencedPage.byteCount)
    for laneCount in [1, 5, 16] {
      var hasher = LaneHasher(kernel: kernel)
      hasher.reset(laneCount: laneCount)
      let first = (0..<laneCount).map { lane in 1000 - lane..<1000 + lane }
      let second = (0..<laneCount).map { lane in 4000 - lane..<FencedPage.byteCount }
      let digests = chunk.withSealedBytes { bytes in
        hasher.update(bytes, ranges: first)
        hasher.update(bytes, ranges: second)
        return hasher.finalize()
      }
      let expected = chunk.withSealedBytes { bytes in
        (0..<laneCount).map { lane in
          var single = SHA256Hasher()
          single.update(bytes.extracting(first[lane]))
          single.update(bytes.extracting(second[lane]))
          return single.finalize()
        }
      }
      #expect(digests == expected)
    }
  }

  private func check(_ kernel: HashKernel, _ chunks: [FencedChunk]) {
    let expected = chunks.map { chunk in chunk.withSealedBytes { SHA256Hasher.hash($0) } }
    #expect(BatchHasher.digests(of: chunks, kernel: kernel) == expected)
  }
}

/// A page of random bytes between two pages without access.
@safe private final class FencedPage: Sendable {
  static let byteCount = 4096

  // Written in `init` only.
  private nonisolated(unsafe) let mapping: UnsafeMutableRawPointer

  init(seed: UInt64) {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS
    guard let start = unsafe mmap(nil, 3 * Self.byteCount, PROT_NONE, flags, -1, 0), unsafe start != MAP_FAILED else {
      preconditionFailure("no memory for a test")
    }
    unsafe mapping = start
    let opened = unsafe mprotect(start + Self.byteCount, Self.byteCount, PROT_READ | PROT_WRITE)
    precondition(opened == 0)
    var random = HashTestRandom(seed: seed)
    let page = unsafe UnsafeMutableRawBufferPointer(start: start + Self.byteCount, count: Self.byteCount)
    unsafe page.copyBytes(from: random.bytes(count: Self.byteCount))
  }

  deinit {
    unsafe munmap(mapping, 3 * Self.byteCount)
  }

  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: mapping + Self.byteCount, count: Self.byteCount)
  }
}

private final class FencedChunk: ChunkStorage {
  private let page: FencedPage
  private let range: Range<Int>

  init(page: FencedPage, range: Range<Int>) {
    self.page = page
    self.range = range
  }

  var sealedBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: page.bytes[range])
  }
}
