package import ChunkCore
internal import ChunkSystem

/// Hashes a seed on all processors, once, to find out which chunks it has at the multiples of the chunk size.
package struct SeedScan: Sendable {
  private let file: OpenFile
  private let geometry: ChunkGeometry
  private let kernel: HashKernel

  /// A scan of the first ``SeedIndex/maximumCount`` chunks of `seed`.
  package init(_ seed: InputFile, chunkSize: ChunkSize, kernel: HashKernel = .best) {
    file = seed.file
    geometry = Self.geometry(length: seed.status.size, chunkSize: chunkSize)
    self.kernel = kernel
  }

  /// How the part of a seed is cut that an index can cover.
  private static func geometry(length: UInt64, chunkSize: ChunkSize) -> ChunkGeometry {
    let limit = UInt64(SeedIndex.maximumCount) * UInt64(chunkSize.bytes)
    do throws(ManifestError) {
      return try ChunkGeometry(fileLength: min(length, limit), chunkSize: chunkSize)
    } catch {
      preconditionFailure("an index has fewer chunks than a file may have")
    }
  }

  /// Reads the seed from front to back; holes are not read. Blocks until that is done, or until `isStopped` says to stop,
  /// and then has what was found by then. Takes about 1 MiB a thread, and 32 KiB for each group that several are at.
  ///
  /// - Parameters:
  ///   - isStopped: Asked often, by several threads.
  ///   - onGroup: Gets the IDs of each run of 1024 chunks, or fewer at the end, that could be read; from several threads.
  /// - Returns: Where the chunks are.
  package func run(
    isStopped: @escaping @Sendable () -> Bool, onGroup: @escaping @Sendable (_ group: Int, _ ids: [ChunkID]) -> Void
  ) -> SeedIndex {
    let batches = ChunkBatches(geometry: geometry)
    let findings = Lock(Findings(geometry: geometry))
    DedicatedThread.concurrently(DedicatedThread.processorCount, name: "seed") { [file, geometry, kernel] _ in
      var scan = ContentScan(FileReader(file), geometry: geometry, kernel: kernel)
      while !isStopped(), let (_, chunks) = batches.take() {
        scan.run(chunks, index: { $0 }) { contents in
          let whole = findings.withLock { $0.add(contents) }
          for (group, ids) in whole { onGroup(group, ids) }
          return !isStopped()
        }
      }
    }
    return SeedIndex(prefixes: findings.withLock { $0.prefixes })
  }
}

/// What the threads of a scan have found.
private struct Findings {
  private struct Group {
    var ids: [ChunkID?]
    var missing: Int
  }

  private let geometry: ChunkGeometry
  private let zeros: ChunkID
  private(set) var prefixes: [UInt64]
  private var groups: [Int: Group] = [:]

  init(geometry: ChunkGeometry) {
    self.geometry = geometry
    zeros = ZeroChunk.id(length: geometry.chunkSize.bytes)
    prefixes = [UInt64](repeating: 0, count: geometry.chunkCount)
  }

  /// - Returns: The groups that are complete now, and could be read.
  mutating func add(_ contents: [(chunk: ChunkIndex, content: ChunkContent)]) -> [(group: Int, ids: [ChunkID])] {
    var whole: [(group: Int, ids: [ChunkID])] = []
    for (chunk, content) in contents {
      let length = geometry.length(of: chunk)
      let id = content.id(length: length)
      if length == geometry.chunkSize.bytes { prefixes[chunk.rawValue] = SeedIndex.prefix(of: id, zeros: zeros) }
      let number = geometry.group(of: chunk)
      let members = geometry.chunks(inGroup: number)
      var group =
        groups.removeValue(forKey: number)
        ?? Group(ids: Array(repeating: nil, count: members.count), missing: members.count)
      group.ids[members.lowerBound.distance(to: chunk)] = id
      group.missing -= 1
      if group.missing > 0 {
        groups[number] = group
      } else if !group.ids.contains(nil) {
        whole.append((number, group.ids.compactMap { $0 }))
      }
    }
    return whole
  }
}
