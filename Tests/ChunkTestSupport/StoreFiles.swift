package import ChunkCore
internal import ChunkSystem

/// The files of a store, touched behind its back and through none of its code.
package struct StoreFiles: Sendable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  /// The paths of all chunk files, in both forms.
  package var chunks: [String] {
    get throws {
      try TestFile.names(in: "\(path)/chunks").flatMap { folder in
        try TestFile.names(in: "\(path)/chunks/\(folder)").map { "\(path)/chunks/\(folder)/\($0)" }
      }
    }
  }

  package func chunk(_ id: ChunkID, suffix: String = "") -> String {
    "\(path)/chunks/\(id.hex.prefix(2))/\(id.hex)\(suffix)"
  }

  /// Returns when the clock of the file system has gone on, so that what is there now is older than what comes. It moves in steps
  /// of some milliseconds.
  package func waitForTick() throws {
    let name = "\(path)-tick"
    func now() throws -> FileStatus.Timestamp {
      try TestFile.write([], to: name)
      defer { try? TestFile.remove(name) }
      return try FileSystem().status(name).changed
    }
    let first = try now()
    while try now() == first {}
  }

  /// Makes the folder that a chunk would lie in.
  package func makeFolder(_ id: ChunkID) throws {
    let folder = "\(path)/chunks/\(id.hex.prefix(2))"
    if !TestFile.exists(folder) { try TestFile.makeDirectory(folder) }
  }

  /// Has other bytes under the name of a chunk, in whatever forms it has.
  package func replace(_ id: ChunkID, with bytes: [UInt8]) throws {
    for path in [chunk(id), chunk(id, suffix: ".zst")] where TestFile.exists(path) {
      try replace(path, with: bytes)
    }
  }

  /// Replaces a file, which may be read-only.
  package func replace(_ path: String, with bytes: [UInt8]) throws {
    try TestFile.remove(path)
    try TestFile.write(bytes, to: path)
  }

  /// The names in a folder of the store.
  package func names(in folder: String) throws -> [String] { try TestFile.names(in: "\(path)/\(folder)") }
}
