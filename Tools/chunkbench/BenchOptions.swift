import ChunkCore

/// What to measure.
struct BenchOptions: Sendable {
  var kernels = HashKernel.available
  var chunkSizes = [64 << 10, 256 << 10, 1 << 20]
  var threadCounts = [1, 2]
  var ways = HashWay.allCases
  var memory = 128 << 20
  var rounds = 9
  var asJSON = false

  static let help = """
    chunkbench [options]: SHA-256 of chunks in memory, in GB/s (10^9 bytes).

      --kernels A,B        of \(HashKernel.available.map(\.name).joined(separator: ",")); default all
      --chunk-sizes A,B    bytes, with K or M; default 64K,256K,1M
      --threads A,B        default 1,2
      --ways A,B           batch: whole chunks, 16 at a time; strips: the same in strips of 64 KiB; default both
      --memory SIZE        bytes to hash in a round; default 128M
      --rounds N           rounds, each of which measures every combination once; default 9
      --json               one JSON object a line instead of a table

    The first round is not counted. Shown are the median, the extremes, and the CPU time the median round took.
    """

  /// Reads the arguments; `nil` when they mean nothing, or ask for help.
  init?(arguments: some Sequence<String>) {
    var iterator = arguments.makeIterator()
    while let name = iterator.next() {
      if name == "--json" {
        asJSON = true
        continue
      }
      guard let value = iterator.next(), set(name, to: value.split(separator: ",").map(String.init)) else { return nil }
    }
  }

  private mutating func set(_ name: String, to values: [String]) -> Bool {
    switch name {
    case "--kernels":
      kernels = HashKernel.available.filter { values.contains($0.name) }
      return kernels.count == values.count
    case "--chunk-sizes":
      chunkSizes = values.compactMap(Self.size)
      return chunkSizes.count == values.count
    case "--threads":
      threadCounts = values.compactMap(Self.positive)
      return threadCounts.count == values.count
    case "--ways":
      ways = HashWay.allCases.filter { values.contains($0.rawValue) }
      return ways.count == values.count
    case "--memory":
      guard values.count == 1, let size = Self.size(values[0]) else { return false }
      memory = size
      return true
    case "--rounds":
      guard values.count == 1, let count = Self.positive(values[0]) else { return false }
      rounds = count
      return true
    default:
      return false
    }
  }

  private static func positive(_ text: some StringProtocol) -> Int? {
    Int(text).flatMap { number in number > 0 ? number : nil }
  }

  private static func size(_ text: String) -> Int? {
    switch text.last {
    case "K": positive(text.dropLast()).map { $0 << 10 }
    case "M": positive(text.dropLast()).map { $0 << 20 }
    default: positive(text)
    }
  }
}

/// How the bytes reach the kernel.
enum HashWay: String, CaseIterable, Sendable {
  case batch
  case strips
}
