package import ChunkSystem
internal import Glibc

extension TemporaryDirectory {
  /// The bytes of a file in it; `nil` when there is none.
  package func read(_ name: String) -> [UInt8]? {
    try? TestFile.read(path(name))
  }

  /// Opens a file in it through the code under test.
  package func open(
    _ name: String, _ mode: OpenMode, through files: FileSystem = FileSystem()
  ) throws(Errno) -> OpenFile {
    OpenFile(try files.open(path(name), mode))
  }

  package func makeDirectory(_ name: String) throws(Errno) {
    try TestFile.makeDirectory(path(name))
  }

  /// Makes a symbolic link to a path, which need not exist.
  package func makeLink(_ name: String, to destination: String) throws(Errno) {
    try TestFile.link(path(name), to: destination)
  }

  /// Gives a file in it a second name.
  package func makeHardLink(_ name: String, to other: String) throws(Errno) {
    guard unsafe link(path(other), path(name)) == 0 else { throw Errno(errno) }
  }

  package func makeFifo(_ name: String) throws(Errno) {
    guard unsafe mkfifo(path(name), 0o600) == 0 else { throw Errno(errno) }
  }

  /// Removes a file, a link or an empty directory.
  package func remove(_ name: String) throws(Errno) {
    guard unsafe Glibc.remove(path(name)) == 0 else { throw Errno(errno) }
  }

  /// Gives a file to another user, which only the superuser may.
  package func give(_ name: String, toUser user: UInt32) throws(Errno) {
    guard unsafe chown(path(name), user, user) == 0 else { throw Errno(errno) }
  }
}
