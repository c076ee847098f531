internal import ChunkCore
internal import ChunkSystem

/// Every chunk that lies in a store: how long its files are, and how often it is wanted. 56 bytes a chunk.
struct ChunkTally {
  struct Entry {
    let id: ChunkID
    /// Of both forms together.
    var bytes: UInt64
    /// Whether it came after the tally was begun.
    var isYoung: Bool
    var wantedBy: Int32 = 0
  }

  /// In the order of their IDs.
  private(set) var entries: [Entry] = []

  /// Lists the store. What came after `start` is young.
  init(of store: FileStore, since start: FileStatus.Timestamp) throws(StoreError) {
    for folder in StoreLayout.fanOuts {
      var found: [ChunkID: Entry] = [:]
      try store.forEachChunkFile(in: folder) { id, form throws(Errno) in
        guard let status = try store.root.directory.status(StoreLayout.chunk(id, form)) else { return }
        var entry = found[id] ?? Entry(id: id, bytes: 0, isYoung: false)
        entry.bytes += status.size
        if status.isYounger(than: start) { entry.isYoung = true }
        found[id] = entry
      }
      entries += found.values.sorted { $0.id.digest < $1.id.digest }
    }
  }

  /// Counts that somebody wants the chunk, or no longer does.
  ///
  /// - Returns: How many bytes that adds to what is wanted, or takes from it.
  mutating func want(_ id: ChunkID, by change: Int32) -> UInt64 {
    guard let place = place(of: id) else { return 0 }
    let before = entries[place].wantedBy
    entries[place].wantedBy += change
    return (before == 0) != (before + change == 0) ? entries[place].bytes : 0
  }

  private func place(of id: ChunkID) -> Int? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].id.digest < id.digest { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].id == id ? low : nil
  }
}

extension FileStore {
  /// Calls `body` with every file of a folder that has the name of a chunk.
  func forEachChunkFile(
    in folder: String, _ body: (ChunkID, StoreLayout.Form) throws(Errno) -> Void
  ) throws(StoreError) {
    try StoreError.wrap("cannot list", path: "\(path)/\(folder)") { () throws(Errno) in
      for name in try root.directory.names(in: folder) {
        if let (id, form) = StoreLayout.chunk(named: name, in: folder) { try body(id, form) }
      }
    }
  }

  /// The time by the clock that stamps the files of the store, which need not be this machine's.
  func now() throws(StoreError) -> FileStatus.Timestamp {
    try StoreError.wrap("cannot make a file", path: path) { () throws(Errno) in
      let temporary = try makeTemporary(permissions: 0o444)
      defer { discard(temporary) }
      return try temporary.file.descriptor.status().changed
    }
  }
}

extension FileStatus {
  /// Whether the content, or the name, came at that time or later.
  func isYounger(than time: Timestamp) -> Bool {
    [modified, changed].contains { ($0.seconds, $0.nanoseconds) >= (time.seconds, time.nanoseconds) }
  }
}
