internal import ChunkSystem

/// A file that is read from beginning to end and must not change meanwhile.
struct InputFile: Sendable {
  let path: String
  let file: OpenFile
  let status: FileStatus

  init(_ path: String, files: FileSystem) throws(StoreError) {
    let file = try StoreError.wrap("cannot open", path: path) { () throws(Errno) in
      // Opening a FIFO would wait for somebody to write.
      OpenFile(try files.open(path, OpenMode(.read, waits: false)))
    }
    status = try StoreError.wrap("cannot look at it", path: path) { () throws(Errno) in
      try file.descriptor.status()
    }
    guard status.kind == .regular else { throw StoreError(.notUsable, "is not a regular file", path: path) }
    self.path = path
    self.file = file
  }

  /// Fails when someone wrote to the file since it was opened: its time of change cannot be set back.
  func checkUnchanged() throws(StoreError) {
    let now = try StoreError.wrap("cannot look at it", path: path) { () throws(Errno) in
      try file.descriptor.status()
    }
    guard now.size == status.size, now.modified == status.modified, now.changed == status.changed else {
      throw changed
    }
  }

  var changed: StoreError { StoreError(.changed, "the file changed while it was read", path: path) }
}
