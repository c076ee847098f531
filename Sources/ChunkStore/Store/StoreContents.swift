internal import ChunkCore
internal import ChunkSystem

extension FileStore {
  /// How much there is of everything. Lists the store; nothing is hashed.
  package struct Contents: Hashable, Sendable {
    package fileprivate(set) var chunkFileCount = 0
    package fileprivate(set) var compressedCount = 0
    /// The bytes of chunk files.
    package fileprivate(set) var chunkBytes: UInt64 = 0
    package fileprivate(set) var manifestCount = 0
    /// The bytes of all files whose manifests are there.
    package fileprivate(set) var fileBytes: UInt64 = 0
    package fileprivate(set) var pinCount = 0
    /// Files that are being written, or were when their process ended.
    package fileprivate(set) var temporaryCount = 0
  }

  package func contents() throws(StoreError) -> Contents {
    var contents = Contents()
    for folder in StoreLayout.fanOuts {
      try forEachChunkFile(in: folder) { id, form throws(Errno) in
        guard let status = try root.directory.status(StoreLayout.chunk(id, form)) else { return }
        contents.chunkFileCount += 1
        contents.compressedCount += form == .compressed ? 1 : 0
        contents.chunkBytes += status.size
      }
    }
    for id in try manifestIDs() {
      guard let stored = try manifest(id) else { continue }
      contents.manifestCount += 1
      contents.fileBytes += stored.manifest.geometry.fileLength
    }
    contents.pinCount = try pinnedIDs().count
    contents.temporaryCount = try StoreError.wrap("cannot list", path: path) { () throws(Errno) in
      try root.directory.names(in: StoreLayout.temporary).count
    }
    return contents
  }
}
