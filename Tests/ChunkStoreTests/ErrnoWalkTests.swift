import ChunkCore
import ChunkStore
import ChunkSystem
import ChunkTestSupport
import Testing

/// Lets every single call of a piece of work fail, one a run, and looks at what is left behind.
@Suite struct ErrnoWalkTests {
  static let faults: [CallFaults.Fault] = [
    .error(.noSpace), .error(.ioError), .error(.diskQuotaExceeded), .error(.readOnlyFileSystem), .error(.accessDenied),
    .error(.notSupported), .error(.interrupted), .short,
  ]

  let directory: TemporaryDirectory
  let old: Sample
  let new: Sample

  init() throws {
    directory = try TemporaryDirectory()
    old = try Sample(length: 6 * 4096 + 9, seed: 5)
    // What is found of it, what a seed has, zeros, and what comes from the network.
    new = try Sample(length: 8 * 4096 + 9, seed: 6, zeros: 3..<4)
  }

  /// A whole download: the old file gives what it has in common, the network the rest.
  func download(_ faults: CallFaults?) throws {
    let output = try OutputPath(directory.path("file"), files: FileSystem(faults: faults))
    let partial = try PartialFile.open(for: output)
    let length = new.geometry.fileLength
    try partial.setLength(length)
    try partial.preallocate([ByteRange(offset: 0, count: length)])
    partial.writePastCache(length: PartialFile.shortestPastCache)
    let side = try partial.openSideFile(.manifest)
    try side.write([1, 2, 3].span, at: 4096)
    if let seed = try output.openExisting().file {
      try partial.take([new.geometry.range(of: ChunkIndex(1))], from: seed)
    }
    var right = Set(new.rightChunks(in: partial.file))
    for chunks in [[7, 0, 8], [2, 4], [1, 5, 6]] {
      try partial.write(new.verified(chunks.filter { !right.contains($0) }), in: new.geometry)
    }
    right = Set(new.rightChunks(in: partial.file))
    // What cannot be read back is fetched again, or cleared where it is zeros.
    for index in new.geometry.chunks where !right.contains(index.rawValue) {
      if new.ids[index.rawValue] == ZeroChunk.id(length: 4096) {
        try partial.clear(new.geometry.range(of: index))
      } else {
        try partial.write(new.verified([index.rawValue]), in: new.geometry)
      }
    }
    try partial.finish(length: length)
  }

  /// The directory as it is before the download.
  func prepare() throws {
    for name in try directory.names() { try directory.remove(name) }
    var common = old.bytes
    common.replaceSubrange(4096..<8192, with: new.bytes[4096..<8192])
    try directory.write(common, to: "file")
    // A partial that was begun: one right chunk, one wrong one, and garbage where zeros should be.
    try directory.write(Array(new.bytes[..<4096]) + old.bytes[4096..<5 * 4096], to: "file.part")
  }

  @Test(arguments: faults) func aDownloadIsRightOrNotThere(fault: CallFaults.Fault) throws {
    try prepare()
    let before = directory.read("file")
    let clean = CallFaults()
    try download(clean)
    #expect(directory.read("file") == new.bytes)
    #expect(clean.count() > 30)

    for lasting in [false, true] where fault != .error(.interrupted) || !lasting {
      for number in 0..<clean.count() {
        try prepare()
        let faults = CallFaults(.init(failing: number, with: fault, lasting: lasting))
        let failed: Bool
        do {
          try download(faults)
          failed = false
        } catch is StoreError {
          failed = true
        }
        let after = directory.read("file")
        #expect(after == new.bytes || (failed && after == before), "call \(number)")
        if fault == .error(.interrupted) || fault == .short { #expect(!failed, "call \(number)") }

        // The next run finishes, and nothing but the file is left.
        try download(nil)
        #expect(directory.read("file") == new.bytes, "after call \(number)")
        #expect(try directory.names() == ["file"], "after call \(number)")
      }
    }
  }

  @Test(arguments: faults) func aManifestIsOldOrNew(fault: CallFaults.Fault) throws {
    let oldManifest = try ManifestEncoder(geometry: old.geometry, chunkIDs: old.ids)
    let newManifest = try ManifestEncoder(geometry: new.geometry, chunkIDs: new.ids)
    let path = directory.path("file.chunks")
    func write(_ manifest: ManifestEncoder, _ faults: CallFaults?) throws {
      try ManifestFile.write(manifest, to: OutputPath(path, files: FileSystem(faults: faults)))
    }
    let clean = CallFaults()
    try write(newManifest, clean)
    for number in 0..<clean.count() {
      try write(oldManifest, nil)
      var failed = false
      do {
        try write(newManifest, CallFaults(.init(failing: number, with: fault)))
      } catch is StoreError {
        failed = true
      }
      let after = directory.read("file.chunks")
      #expect(after == newManifest.encode() || (failed && after == oldManifest.encode()), "call \(number)")
      #expect(try directory.names() == ["file.chunks"], "call \(number)")
    }
  }
}
