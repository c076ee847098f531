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

/// Hashes ranges of a file, up to 16 at once, in strips that stay in the cache of a processor.
///
/// It reads a strip of each range in turn and keeps the state of every hash from strip to strip, so that the memory needed
/// is 1 MiB whatever the chunks are. Past the page cache strips are long and as few as the kernel needs, as a medium likes long reads
/// of what lies together; there it may take 4 MiB. One belongs to one thread.
struct StripHasher: ~Copyable {
  /// The most ranges that are hashed at once.
  static let mostLanes = LaneHasher.maximumLaneCount

  /// How many ranges are hashed at once.
  let laneLimit: Int

  private let file: FileReader
  /// How many bytes of each are read at once.
  private let stripLength: Int
  private let strip: AlignedBuffer
  private var hasher: LaneHasher

  /// Hashes ranges of `file` that are up to `chunkSize` long.
  init(of file: FileReader, chunkSize: ChunkSize, kernel: HashKernel) {
    self.file = file
    if file.isPastCache {
      stripLength = min(chunkSize.bytes, Self.longestStrip)
      laneLimit = min(Self.mostLanes, max(kernel.lanes, Self.leastRead / stripLength))
    } else {
      stripLength = 64 << 10
      laneLimit = Self.mostLanes
    }
    strip = AlignedBuffer(capacity: laneLimit * stripLength)
    hasher = LaneHasher(kernel: kernel)
  }

  private static let longestStrip = 256 << 10
  /// Of a medium less is not read at once, where that lies together.
  private static let leastRead = 1 << 20

  /// One result for each range, in their order. Blocks for as long as reading and hashing take.
  ///
  /// - Precondition: There are at most ``laneLimit`` ranges.
  mutating func hash(_ ranges: [ByteRange]) -> [HashedRange] {
    precondition(ranges.count <= laneLimit, "more ranges than lanes")
    if ranges.isEmpty { return [] }
    var lanes = ranges.map { Lane(range: $0) }
    hasher.reset(laneCount: lanes.count)
    while lanes.contains(where: \.goesOn) {
      let pieces = read(&lanes)
      // The strip is this value's own, and nothing is read into it while it is lent.
      unsafe strip.withBytes { hasher.update($0, ranges: pieces) }
    }
    return zip(lanes, hasher.finalize()).map { lane, digest in
      HashedRange(digest: digest, count: Int(lane.position - lane.range.offset), failure: lane.failure)
    }
  }

  /// Reads the next piece of each lane, and tells where in the strip it is.
  private func read(_ lanes: inout [Lane]) -> [Range<Int>] {
    if let pieces = readTogether(&lanes) { return pieces }
    var pieces: [Range<Int>] = []
    pieces.reserveCapacity(lanes.count)
    for index in lanes.indices {
      let start = index * stripLength
      let wanted = lanes[index].goesOn ? min(stripLength, Int(lanes[index].missing)) : 0
      var count = 0
      if wanted > 0 {
        do throws(Errno) {
          // The strip is this value's own.
          count = try unsafe file.read(wanted, at: lanes[index].position, into: strip, at: start)
        } catch {
          lanes[index].failure = error
        }
      }
      lanes[index].took(count, of: wanted)
      pieces.append(start..<start + count)
    }
    return pieces
  }

  /// Reads ranges no longer than a strip that follow one another with one call.
  ///
  /// - Returns: `nil` when they do not follow one another or are longer, and when something went wrong that has to be
  ///   told apart for each of them.
  private func readTogether(_ lanes: inout [Lane]) -> [Range<Int>]? {
    let start = lanes[0].range.offset
    let total = lanes[lanes.count - 1].range.end &- start
    guard lanes.count > 1, lanes.allSatisfy({ $0.isFresh }), total <= UInt64(strip.capacity),
      zip(lanes, lanes.dropFirst()).allSatisfy({ $0.range.end == $1.range.offset })
    else { return nil }
    do throws(Errno) {
      // The strip is this value's own.
      guard try unsafe file.read(Int(total), at: start, into: strip, at: 0) == Int(total) else { return nil }
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
