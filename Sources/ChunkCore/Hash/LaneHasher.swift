package struct LaneHasher: ~Copyable {
  private var absorbed: [[UInt8]] = []
  package init(kernel: HashKernel) {}
  package mutating func reset(laneCount: Int) {
    absorbed = Array(repeating: [], count: laneCount)
  }
  package mutating func update(_ bytes: Span<UInt8>, ranges: [Range<Int>]) {
    for (lane, range) in ranges.enumerated() {
      for index in range { absorbed[lane].append(bytes[index]) }
    }
  }
  package mutating func finalize() -> [SHA256Digest] {
    absorbed.map { SHA256Hasher.hash($0.span) }
  }
}
