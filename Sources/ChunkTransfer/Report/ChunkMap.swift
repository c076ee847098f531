internal import ChunkCore

/// Which parts of a file are here at one moment, coarse enough to be looked at: at most 1024 cells of equally many chunks each,
/// from the front of the file to its end. A plain value.
package struct ChunkMap: Sendable, Hashable {
  /// A run of chunks.
  package struct Cell: Sendable, Hashable {
    /// How many there are.
    package internal(set) var count = 0
    /// How many of them are here, right.
    package internal(set) var here = 0
    /// Whether any that is not here has been asked for.
    package internal(set) var isAsked = false
  }

  package private(set) var cells: [Cell]
  private let chunkCount: Int

  /// Enough for four lines of the widest terminals.
  static let mostCells = 1024

  /// The map of a file of which nothing is here.
  init(chunkCount: Int) {
    self.chunkCount = chunkCount
    let cells = min(chunkCount, Self.mostCells)
    self.cells = (0..<cells).map { Cell(count: ($0 + 1) * chunkCount / cells - $0 * chunkCount / cells) }
  }

  /// What the scheduler knows: what is `here`, and which chunks have been `asked` for.
  init(chunkCount: Int, here: ChunkSet, asked: some Sequence<Range<ChunkIndex>>) {
    self.init(chunkCount: chunkCount)
    for cell in cells.indices { cells[cell].here = here.count(in: chunks(of: cell)) }
    for range in asked where !range.isEmpty {
      let last = range.upperBound.advanced(by: -1)
      for cell in self.cell(of: range.lowerBound)...self.cell(of: last) where cells[cell].here < cells[cell].count {
        cells[cell].isAsked = true
      }
    }
  }

  /// A chunk turned out to be here.
  mutating func add(_ chunk: ChunkIndex) { cells[cell(of: chunk)].here += 1 }

  private func chunks(of cell: Int) -> Range<Int> {
    cell * chunkCount / cells.count..<(cell + 1) * chunkCount / cells.count
  }

  private func cell(of chunk: ChunkIndex) -> Int { ((chunk.rawValue + 1) * cells.count - 1) / chunkCount }
}
