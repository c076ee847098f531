internal import ChunkCore
internal import ChunkSystem

/// What became of reading and hashing a range of a file.
struct HashedRange: Sendable {
  let digest: SHA256Digest
  /// How many bytes the digest is of: fewer than the range has where the file ends before.
  let count: Int
  /// What kept the rest from being read.
  let failure: Errno?
}

/// Hashes up to 16 ranges of a file at once, in strips that stay in the cache of a processor.
///
/// It reads 64 KiB of each range in turn and keeps the state of every hash from strip to strip, so that the memory needed
/// is 1 MiB whatever the chunks are. One belongs to one thread.
struct StripHasher: ~Copyable {
  /// How many ranges are hashed at once.
  static let laneLimit = 16
  /// How many bytes of each are read at once.
  private static let stripLength = 64 << 10

  private let strip = AlignedBuffer(capacity: laneLimit * stripLength)
  private var hasher: LaneHasher

  init(kernel: HashKernel) {
    hasher = LaneHasher(kernel: kernel)
  }

  /// One result for each range, in their order. Blocks for as long as reading and hashing take.
  ///
  /// - Precondition: There are at most ``laneLimit`` ranges.
  mutating func hash(_ ranges: [ByteRange], in file: borrowing FileDescriptor) -> [HashedRange] {
    precondition(ranges.count <= Self.laneLimit, "more ranges than lanes")
    if ranges.isEmpty { return [] }
    var lanes = ranges.map { Lane(range: $0) }
    hasher.reset(laneCount: lanes.count)
    while lanes.contains(where: \.goesOn) {
      let pieces = read(&lanes, from: file)
      // The strip is this value's own, and nothing is read into it while it is lent.
      unsafe strip.withBytes { hasher.update($0, ranges: pieces) }
    }
    return zip(lanes, hasher.finalize()).map { lane, digest in
      HashedRange(digest: digest, count: Int(lane.position - lane.range.offset), failure: lane.failure)
    }
  }

  /// Reads the next piece of each lane, and tells where in the strip it is.
  private func read(_ lanes: inout [Lane], from file: borrowing FileDescriptor) -> [Range<Int>] {
    if let pieces = readTogether(&lanes, from: file) { return pieces }
    var pieces: [Range<Int>] = []
    pieces.reserveCapacity(lanes.count)
    for index in lanes.indices {
      let start = index * Self.stripLength
      let wanted = lanes[index].goesOn ? min(Self.stripLength, Int(lanes[index].missing)) : 0
      var count = 0
      if wanted > 0 {
        do throws(Errno) {
          // Inside the strip, which has this many bytes for every lane.
          let target = unsafe UnsafeMutableRawBufferPointer(rebasing: strip.bytes[start..<start + wanted])
          count = try unsafe file.pread(into: target, at: lanes[index].position)
        } catch {
          lanes[index].failure = error
        }
      }
      lanes[index].took(count, of: wanted)
      pieces.append(start..<start + count)
    }
    return pieces
  }

  /// Reads small ranges that follow one another with one call.
  ///
  /// - Returns: `nil` when they do not follow one another or are not small, and when something went wrong that has to be
  ///   told apart for each of them.
  private func readTogether(_ lanes: inout [Lane], from file: borrowing FileDescriptor) -> [Range<Int>]? {
    let start = lanes[0].range.offset
    let total = lanes[lanes.count - 1].range.end &- start
    guard lanes.count > 1, lanes.allSatisfy({ $0.isFresh }), total <= UInt64(strip.capacity),
      zip(lanes, lanes.dropFirst()).allSatisfy({ $0.range.end == $1.range.offset })
    else { return nil }
    do throws(Errno) {
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: strip.bytes[..<Int(total)])
      guard try unsafe file.pread(into: target, at: start) == Int(total) else { return nil }
    } catch {
      return nil
    }
    return lanes.indices.map { index in
      let range = lanes[index].range
      lanes[index].took(Int(range.count), of: Int(range.count))
      return Int(range.offset - start)..<Int(range.end - start)
    }
  }
}

/// How far a range has been hashed.
private struct Lane {
  let range: ByteRange
  var position: UInt64
  var failure: Errno?
  var isAtEnd = false

  init(range: ByteRange) {
    self.range = range
    position = range.offset
  }

  var missing: UInt64 { range.end - position }
  var goesOn: Bool { missing > 0 && !isAtEnd && failure == nil }
  var isFresh: Bool { position == range.offset && goesOn }

  mutating func took(_ count: Int, of wanted: Int) {
    position += UInt64(count)
    if count < wanted { isAtEnd = true }
  }
}
