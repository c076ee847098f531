package import ChunkSystem

/// A file that is read from beginning to end and must not change meanwhile.
package struct InputFile: Sendable {
  package let path: String
  package let file: OpenFile
  package let status: FileStatus

  package init(_ path: String, files: FileSystem = FileSystem()) throws(StoreError) {
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

  /// A regular file that is open already.
  package init(path: String, file: OpenFile, status: FileStatus) {
    self.path = path
    self.file = file
    self.status = status
  }

  /// Fails when someone wrote to the file since it was opened: its time of change cannot be set back.
  func checkUnchanged() throws(StoreError) {
    let now = try StoreError.wrap("cannot look at it", path: path) { () throws(Errno) in
      try file.descriptor.status()
    }
    guard now.isSame(as: status) else { throw changed }
  }

  var changed: StoreError { StoreError(.changed, "the file changed while it was read", path: path) }
}

extension FileStatus {
  /// Whether nobody wrote to the file in between, as far as its length and times tell.
  func isSame(as other: FileStatus) -> Bool {
    identity == other.identity && size == other.size && modified == other.modified && changed == other.changed
  }
}
