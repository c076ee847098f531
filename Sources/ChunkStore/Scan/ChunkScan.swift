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
  private var hasher: StripHasher

  package init(geometry: ChunkGeometry, kernel: HashKernel = .best) {
    self.geometry = geometry
    hasher = StripHasher(kernel: kernel)
  }

  /// Looks at the chunks in the order they are given; ascending is fastest. It takes 1 MiB of memory whatever there is to
  /// look at.
  ///
  /// - Parameters:
  ///   - chunks: What is looked for.
  ///   - file: Where. That something cannot be read is a finding and not an error.
  ///   - report: Gets the findings of a few chunks at a time, in no certain order, and says whether to go on.
  package mutating func run(
    _ chunks: some Sequence<ExpectedChunk>, in file: borrowing FileDescriptor, report: ([ScannedChunk]) -> Bool
  ) {
    var holes = HoleFinder(length: Self.length(of: file))
    var batch: [ExpectedChunk] = []
    var findings: [ScannedChunk] = []
    for chunk in chunks {
      if holes.isHole(geometry.range(of: chunk.index), in: file) {
        findings.append(ScannedChunk(index: chunk.index, finding: finding(inHole: chunk)))
      } else {
        batch.append(chunk)
      }
      guard batch.count == StripHasher.laneLimit || findings.count >= Self.reportLimit else { continue }
      findings += look(at: batch, in: file)
      batch.removeAll(keepingCapacity: true)
      if !report(findings) { return }
      findings.removeAll(keepingCapacity: true)
    }
    findings += look(at: batch, in: file)
    if !findings.isEmpty { _ = report(findings) }
  }

  /// How many findings of holes are reported together: they cost nothing, so there can be very many.
  private static let reportLimit = 1024

  private func finding(inHole chunk: ExpectedChunk) -> ScannedChunk.Finding {
    chunk.id == ZeroChunk.id(length: geometry.length(of: chunk.index)) ? .right : .absent
  }

  private mutating func look(at batch: [ExpectedChunk], in file: borrowing FileDescriptor) -> [ScannedChunk] {
    let hashed = hasher.hash(batch.map { geometry.range(of: $0.index) }, in: file)
    return zip(batch, hashed).map { chunk, hashed in
      let found = ChunkID(hashed.digest)
      let finding: ScannedChunk.Finding =
        if let failure = hashed.failure {
          .unreadable(failure)
        } else if hashed.count == 0 {
          .absent
        } else if hashed.count == geometry.length(of: chunk.index), found == chunk.id {
          .right
        } else {
          .wrong(found: found)
        }
      return ScannedChunk(index: chunk.index, finding: finding)
    }
  }

  /// A file whose length is not to be had has no holes worth looking for; reading it will tell what is wrong.
  private static func length(of file: borrowing FileDescriptor) -> UInt64 {
    do throws(Errno) {
      return try file.status().size
    } catch {
      return 0
    }
  }
}
