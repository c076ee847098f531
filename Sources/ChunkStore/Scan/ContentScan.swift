package import ChunkCore
package import ChunkSystem

/// What a file has where a chunk lies.
package enum ChunkContent: Hashable, Sendable {
  /// Nothing but hole, which reads as zeros.
  case hole
  /// Bytes with this SHA-256; fewer than the chunk has where the file ends inside it, none where it ends before.
  case bytes(ChunkID, count: Int)
  /// Something that cannot be read.
  case unreadable(Errno)

  /// The ID of what is there, when that is as long as the chunk.
  package func id(length: Int) -> ChunkID? {
    switch self {
    case .hole: ZeroChunk.id(length: length)
    case .bytes(let id, length): id
    case .bytes, .unreadable: nil
    }
  }
}

/// Hashes chunks of a file, 16 at once, on the thread that calls. A hole is not read. Each thread needs one of its own.
package struct ContentScan: ~Copyable {
  private let geometry: ChunkGeometry
  private let file: OpenFile
  private var hasher: StripHasher

  /// A scan of a file that is cut like this.
  package init(_ reader: FileReader, geometry: ChunkGeometry, kernel: HashKernel = .best) {
    self.geometry = geometry
    file = reader.file
    hasher = StripHasher(of: reader, chunkSize: geometry.chunkSize, kernel: kernel)
  }

  /// Looks at the chunks in the order they are given; ascending is fastest. That something cannot be read is a finding and
  /// not an error. It takes 1 MiB of memory whatever there is to look at, and up to 4 past the page cache.
  ///
  /// - Parameters:
  ///   - chunks: What is looked at.
  ///   - index: Which chunk an element stands for.
  ///   - report: Gets what a few chunks at a time have, in no certain order, and says whether to go on.
  package mutating func run<Chunk>(
    _ chunks: some Sequence<Chunk>, index: (Chunk) -> ChunkIndex,
    report: ([(chunk: Chunk, content: ChunkContent)]) -> Bool
  ) {
    var holes = HoleFinder(length: Self.length(of: file.descriptor))
    var batch: [Chunk] = []
    var found: [(chunk: Chunk, content: ChunkContent)] = []
    for chunk in chunks {
      if holes.isHole(geometry.range(of: index(chunk)), in: file.descriptor) {
        found.append((chunk, .hole))
      } else {
        batch.append(chunk)
      }
      guard batch.count == hasher.laneLimit || found.count >= Self.reportLimit else { continue }
      found += read(batch, index)
      batch.removeAll(keepingCapacity: true)
      if !report(found) { return }
      found.removeAll(keepingCapacity: true)
    }
    found += read(batch, index)
    if !found.isEmpty { _ = report(found) }
  }

  /// How many holes are reported together: they cost nothing, so there can be very many.
  private static let reportLimit = 1024

  private mutating func read<Chunk>(
    _ batch: [Chunk], _ index: (Chunk) -> ChunkIndex
  ) -> [(chunk: Chunk, content: ChunkContent)] {
    let hashed = hasher.hash(batch.map { geometry.range(of: index($0)) })
    return zip(batch, hashed).map { chunk, hashed in
      (chunk, hashed.failure.map { .unreadable($0) } ?? .bytes(ChunkID(hashed.digest), count: hashed.count))
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
