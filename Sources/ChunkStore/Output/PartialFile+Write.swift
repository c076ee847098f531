package import ChunkCore
internal import ChunkSystem

extension PartialFile {
  /// Writes verified chunks to their places: neighbours with one call. The order they come in does not matter.
  ///
  /// - Throws: ``StoreError``. How much was written by then is not known, and need not be: it is all right bytes.
  package func write(_ chunks: [VerifiedChunk], in geometry: ChunkGeometry) throws(StoreError) {
    try checkUsable()
    let sorted = chunks.sorted { $0.index < $1.index }
    var rest = sorted[...]
    while let first = rest.first {
      var run = rest.prefix(1)
      while run.count < FileDescriptor.maximumPieces, run.endIndex < rest.endIndex,
        rest[run.endIndex].index == rest[run.endIndex - 1].index.advanced(by: 1)
      {
        run = rest[run.startIndex...run.endIndex]
      }
      rest = rest[run.endIndex...]
      try write(run: run, at: geometry.range(of: first.index).offset, in: geometry)
    }
  }

  private func write(
    run: ArraySlice<VerifiedChunk>, at offset: UInt64, in geometry: ChunkGeometry
  ) throws(StoreError) {
    // The chunks are sealed, and held by `run` during the call.
    let pieces = unsafe run.map { unsafe $0.storage.sealedBytes }
    for (position, chunk) in run.enumerated() {
      let count = unsafe pieces[position].count
      precondition(count == geometry.length(of: chunk.index), "a chunk has the length of its place")
    }
    try wrap("cannot write") { () throws(Errno) in
      try withExtendedLifetime(run) { () throws(Errno) in try unsafe writing.write(pieces, at: offset) }
    }
  }

  /// Writes bytes nobody could verify, which is for downloads without a manifest and for nothing else.
  package func write(unverified bytes: Span<UInt8>, at offset: UInt64) throws(StoreError) {
    try checkUsable()
    do throws(Errno) {
      try file.descriptor.pwrite(bytes, at: offset)
    } catch {
      throw StoreError(error, "cannot write", path: path)
    }
  }
}
