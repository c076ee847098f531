package import ChunkCore
package import ChunkSystem

/// A chunk that a file is to have.
package struct ExpectedChunk: Hashable, Sendable {
  package let index: ChunkIndex
  package let id: ChunkID

  package init(index: ChunkIndex, id: ChunkID) {
    self.index = index
    self.id = id
  }
}

/// What a file has where a chunk should be.
package struct ScannedChunk: Hashable, Sendable {
  package enum Finding: Hashable, Sendable {
    /// The chunk.
    case right
    /// Other bytes, with this SHA-256; fewer where the file ends inside the chunk.
    case wrong(found: ChunkID)
    /// Nothing: a hole that does not stand for the chunk, or the file ends before it.
    case absent
    /// Something that cannot be read.
    case unreadable(Errno)
  }

  package let index: ChunkIndex
  package let finding: Finding

  package var isRight: Bool { finding == .right }
}

/// Compares chunks of a file with their IDs, 16 at once, on the thread that calls.
///
/// A hole is not read: it stands for a chunk of zeros and for nothing else. Each thread needs one of its own.
package struct ChunkScan: ~Copyable {
  private let geometry: ChunkGeometry
  private var contents: ContentScan

  /// A scan of a file that is cut like this.
  package init(_ reader: FileReader, geometry: ChunkGeometry, kernel: HashKernel = .best) {
    self.geometry = geometry
    contents = ContentScan(reader, geometry: geometry, kernel: kernel)
  }

  /// Looks at the chunks in the order they are given; ascending is fastest. That something cannot be read is a finding and
  /// not an error. It takes as much memory as a ``ContentScan``.
  ///
  /// - Parameters:
  ///   - chunks: What is looked for.
  ///   - report: Gets the findings of a few chunks at a time, in no certain order, and says whether to go on.
  package mutating func run(
    _ chunks: some Sequence<ExpectedChunk>, report: ([ScannedChunk]) -> Bool
  ) {
    let geometry = geometry
    contents.run(chunks, index: \.index) { contents in
      report(
        contents.map { chunk, content in
          ScannedChunk(
            index: chunk.index,
            finding: Self.finding(content, expected: chunk.id, length: geometry.length(of: chunk.index)))
        })
    }
  }

  private static func finding(
    _ content: ChunkContent, expected: ChunkID, length: Int
  ) -> ScannedChunk.Finding {
    if content.id(length: length) == expected { return .right }
    return switch content {
    case .hole, .bytes(_, count: 0): .absent
    case .bytes(let found, _): .wrong(found: found)
    case .unreadable(let failure): .unreadable(failure)
    }
  }
}
