internal import CHashKernels

/// Computes SHA-256 of up to 16 messages that arrive strip by strip.
///
/// This is for readers that hash many chunks of a file in one pass: a strip of each chunk is read into a buffer small
/// enough for the cache, and ``update(_:ranges:)`` feeds every chunk its part. With whole chunks in memory,
/// ``BatchHasher`` is simpler.
///
///     hasher.reset(laneCount: chunks.count)
///     while let strips = try read() { hasher.update(strips.bytes, ranges: strips.ranges) }
///     let digests = hasher.finalize()
package struct LaneHasher: ~Copyable, Sendable {
  /// The most messages at a time.
  package static let maximumLaneCount = 16

  private let kernel: HashKernel
  private var laneCount = 0
  // One of the two is used, depending on the kernel.
  private var lanes: [chk_lane]
  private var streams = InlineArray<16, SHA256Hasher?> { _ in nil }

  /// A hasher without messages.
  ///
  /// - Precondition: `kernel` is one of ``HashKernel/available``.
  package init(kernel: HashKernel) {
    precondition(HashKernel.available.contains(kernel), "this CPU does not have the hash kernel \(kernel.name)")
    self.kernel = kernel
    let count = kernel.engine == nil ? 0 : Self.maximumLaneCount
    lanes = [chk_lane](repeating: chk_lane(), count: count)
  }

  /// Starts `laneCount` new messages; what was there before is forgotten.
  ///
  /// - Precondition: `laneCount` is at most ``maximumLaneCount``.
  package mutating func reset(laneCount: Int) {
    precondition(laneCount >= 0 && laneCount <= Self.maximumLaneCount, "at most 16 messages at a time")
    self.laneCount = laneCount
    if kernel.engine != nil {
      // At most as many lanes as the array has.
      unsafe lanes.withUnsafeMutableBufferPointer { lanes in
        guard let first = lanes.baseAddress else { return }
        unsafe chk_start(first, laneCount)
      }
    } else {
      for lane in 0..<laneCount { streams[lane] = SHA256Hasher() }
    }
  }

  /// Appends `bytes[ranges[i]]` to message `i`. The ranges may have any lengths, empty ones included, and may overlap.
  ///
  /// - Precondition: There are as many ranges as messages, and all lie inside `bytes`.
  package mutating func update(_ bytes: Span<UInt8>, ranges: [Range<Int>]) {
    precondition(ranges.count == laneCount, "one range for each message")
    for range in ranges {
      precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "a range outside the bytes")
    }
    if let engine = kernel.engine {
      absorb(bytes, ranges: ranges, engine: engine)
    } else {
      for lane in 0..<laneCount { streams[lane]?.update(bytes.extracting(ranges[lane])) }
    }
  }

  private mutating func absorb(_ bytes: Span<UInt8>, ranges: [Range<Int>], engine: chk_kernel) {
    let laneCount = laneCount
    // The pieces lie inside `bytes`, which is lent for the length of this call; so are the arrays of pieces and lanes, and
    // both have at least `laneCount` elements.
    unsafe bytes.withUnsafeBufferPointer { bytes in
      var pieces = unsafe InlineArray<16, chk_piece>(repeating: chk_piece())
      for lane in 0..<laneCount {
        let start = unsafe bytes.baseAddress?.advanced(by: ranges[lane].lowerBound)
        unsafe pieces[lane] = unsafe chk_piece(bytes: start, count: ranges[lane].count)
      }
      unsafe lanes.withUnsafeMutableBufferPointer { lanes in
        unsafe pieces.span.withUnsafeBufferPointer { pieces in
          guard let lanes = lanes.baseAddress, let pieces = pieces.baseAddress else { return }
          unsafe chk_absorb(engine, lanes, pieces, laneCount)
        }
      }
    }
  }

  /// Ends all messages and returns their digests in order. There are no messages then, until the next
  /// ``reset(laneCount:)``.
  package mutating func finalize() -> [SHA256Digest] {
    defer { laneCount = 0 }
    if let engine = kernel.engine {
      return lanes.finish(engine: engine, count: laneCount)
    }
    var digests: [SHA256Digest] = []
    digests.reserveCapacity(laneCount)
    for lane in 0..<laneCount {
      if let stream = streams[lane].take() { digests.append(stream.finalize()) }
    }
    return digests
  }
}

extension [chk_lane] {
  /// Ends the first `count` messages and returns their digests.
  mutating func finish(engine: chk_kernel, count: Int) -> [SHA256Digest] {
    precondition(count <= self.count)
    let bytes = [UInt8](capacity: count * SHA256Digest.byteCount) { output in
      // The kernel reads `count` lanes, which there are, and writes 32 bytes for each.
      unsafe output.withUnsafeMutableBufferPointer { target, initialized in
        unsafe withUnsafeMutableBufferPointer { lanes in
          guard let lanes = lanes.baseAddress, let target = target.baseAddress else { return }
          unsafe chk_finish(engine, lanes, count, target)
          initialized = count * SHA256Digest.byteCount
        }
      }
    }
    return (0..<count).map { lane in
      SHA256Digest(bytes.span.extracting(lane * SHA256Digest.byteCount..<(lane + 1) * SHA256Digest.byteCount))
    }
  }
}
