package import ChunkCore
internal import ChunkSystem

/// `NAME.zst`, as a publisher writes it: every chunk a frame, and a seek table.
///
/// Source: `Spec/pack-v1.md`.
package struct PackFile: Sendable {
  private let threadCount: Int

  package init(threadCount: Int = DedicatedThread.processorCount) {
    self.threadCount = max(1, threadCount)
  }

  /// Compresses a file that was hashed before, on all processors, so that the pack is the old one or the new one, whatever happens.
  /// Blocks until it is on the medium: not for the cooperative pool.
  ///
  /// Holes are not read. Takes, beside what the level needs, about 4 MiB a thread and three times a chunk.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - hashed: What is known of it.
  ///   - level: How hard it is compressed.
  ///   - output: Where the pack goes.
  ///   - progress: Is told how far it is, and can stop it.
  /// - Returns: Where the frame of each chunk ends.
  /// - Throws: ``StoreError``, with ``StoreError/Code/changed`` when it is not the file that was hashed, or someone writes to it. The
  ///   pack is then as it was.
  package func write(
    of path: String, hashed: HashedFile, level: PackLevel, to output: OutputPath,
    progress: HashingProgress = HashingProgress()
  ) throws(StoreError) -> [UInt64] {
    let input = try InputFile(path, files: output.files)
    let geometry = hashed.geometry
    progress.begin(total: geometry.fileLength)
    var ends: [UInt64] = []
    ends.reserveCapacity(geometry.chunkCount)
    try DurableFile.write(to: output) { sink throws(StoreError) in
      var total: UInt64 = 0
      let packing = Packing(input: input, geometry: geometry, level: level, progress: progress)
      try packing.run(threadCount) { piece throws(StoreError) in
        for length in piece.frameLengths {
          total += UInt64(length)
          ends.append(total)
        }
        try sink(piece.bytes.span)
      }
      try Self.writeSeekTable(geometry, ends, to: sink)
      guard input.status.isSame(as: hashed.status) else { throw input.changed }
      try input.checkUnchanged()
    }
    return ends
  }

  private static func writeSeekTable(
    _ geometry: ChunkGeometry, _ ends: [UInt64], to sink: (Span<UInt8>) throws(StoreError) -> Void
  ) throws(StoreError) {
    let table = SeekTable(geometry)
    try sink(table.beginning.span)
    var begin: UInt64 = 0
    for group in 0..<geometry.groupCount {
      var entries: [UInt8] = []
      for chunk in geometry.chunks(inGroup: group) {
        let end = ends[chunk.rawValue]
        entries += SeekTable.entry(frame: end - begin, chunk: geometry.length(of: chunk))
        begin = end
      }
      try sink(entries.span)
    }
    try sink(table.end.span)
  }
}
