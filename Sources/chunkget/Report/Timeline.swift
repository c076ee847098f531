/// Which source brought which part of a file when, and how fast, in a grid that never grows: when the time is over its columns
/// stand for twice as long. Pure.
struct Timeline: Sendable {
  /// Where chunks come from: a place in the order of the sources, this machine, or several sources for one chunk.
  enum Origin: Hashable, Comparable, Sendable {
    case source(Int)
    case mixed
    case here
  }

  static let columns = 96
  static let mostRows = 48

  /// Seconds that a column stands for.
  private(set) var columnSeconds = 0.05
  private(set) var chunkCount = 0
  /// Chunks by origin, for each column and row.
  private var cells: [Int: [Origin: Int]] = [:]
  /// Bytes by origin, for each column.
  private(set) var bytes = [[Origin: UInt64]](repeating: [:], count: columns)
  /// The last moment at which something came.
  private(set) var end = 0.0

  var rows: Int { min(Self.mostRows, chunkCount) }

  /// A file of so many chunks, of which nothing is here.
  mutating func begin(chunks: Int) {
    self = Timeline()
    chunkCount = chunks
  }

  mutating func add(chunks: [Int], bytes: UInt64, from origin: Origin, at seconds: Double) {
    guard chunkCount > 0 else { return }
    while seconds >= columnSeconds * Double(Self.columns) { halve() }
    let column = max(0, Int(seconds / columnSeconds))
    for chunk in chunks where chunk < chunkCount {
      cells[column * Self.mostRows + chunk * rows / chunkCount, default: [:]][origin, default: 0] += 1
    }
    self.bytes[column][origin, default: 0] += bytes
    end = max(end, seconds)
  }

  private mutating func halve() {
    columnSeconds *= 2
    var merged: [Int: [Origin: Int]] = [:]
    for (key, counts) in cells {
      let column = key / Self.mostRows / 2
      merged[column * Self.mostRows + key % Self.mostRows, default: [:]].merge(counts, uniquingKeysWith: +)
    }
    cells = merged
    for column in 0..<Self.columns / 2 {
      bytes[column] = bytes[2 * column].merging(bytes[2 * column + 1], uniquingKeysWith: +)
    }
    for column in Self.columns / 2..<Self.columns { bytes[column] = [:] }
  }

  /// A part of a row in which most came from one origin.
  struct Block: Sendable, Equatable {
    let row: Int
    var columns: Range<Int>
    let origin: Origin
  }

  /// The grid, neighbours of one origin put together.
  var blocks: [Block] {
    var blocks: [Block] = []
    for row in 0..<rows {
      for column in 0..<Self.columns {
        guard let counts = cells[column * Self.mostRows + row],
          let origin = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key
        else { continue }
        if let last = blocks.last, last.row == row, last.columns.upperBound == column, last.origin == origin {
          blocks[blocks.count - 1].columns = last.columns.lowerBound..<column + 1
        } else {
          blocks.append(Block(row: row, columns: column..<column + 1, origin: origin))
        }
      }
    }
    return blocks
  }
}
