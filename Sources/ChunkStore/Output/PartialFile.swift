package import ChunkSystem

/// `NAME.part`: a file while it is incomplete. It holds what was verified at its place, and holes elsewhere.
///
/// There is no record of what it holds; that is found out by hashing it. The invariants:
///
/// 1. From ``open(for:)`` on, the lock of the open file is held, and the path leads to that file. Whoever else opens the
///    path is told that it is locked.
/// 2. Files beside it are touched only while the lock is held. After the rename the lock is that of the final name, where
///    another process looks before it begins; so it lasts until the last file beside is gone.
/// 3. The final name gets the file only after ``finish(length:permissions:replacing:)`` has made its bytes durable.
/// 4. A failure to make them durable is final for this object, as the kernel forgets what it could not write. The next run
///    must not believe its memory either: every file found is read from the medium again. Doing that always costs
///    little, a resumed download being larger than what is cached of it, while a mark that says when to do it
///    would have to be written to the disk that just failed.
///
/// Any thread may call anything; who writes where is for the caller to settle.
package final class PartialFile: Sendable {
  /// The output it will become.
  package let output: OutputPath
  /// `NAME.part`, with the directory.
  package let path: String
  /// How long the file was when it was opened; zero for a new one.
  package let lengthFound: UInt64
  /// The open file, for a scan to read. It is written through this object only.
  package let file: OpenFile

  let directory: SharedDirectory
  /// How verified chunks are written.
  let writing: ChunkWriting
  /// Why nothing more can be done with it.
  private let isOver = Lock<StoreError?>(nil)

  init(output: OutputPath, directory: SharedDirectory, file: OpenFile, lengthFound: UInt64) {
    self.output = output
    path = output.partialPath
    self.directory = directory
    self.file = file
    writing = ChunkWriting(buffered: file)
    self.lengthFound = lengthFound
  }

  var name: String { output.partialName }

  func wrap<Result: ~Copyable>(
    _ attempt: @autoclosure () -> String, _ body: () throws(Errno) -> Result
  ) throws(StoreError) -> Result {
    try StoreError.wrap(attempt(), path: path, body)
  }

  /// Fails when the file is finished, given up or could not be made durable.
  func checkUsable() throws(StoreError) {
    if let error = isOver.withLock({ $0 }) { throw error }
  }

  /// Lets every further use fail with this error.
  func end(with error: StoreError) {
    isOver.withLock { $0 = error }
  }
}

/// A directory that several objects share.
final class SharedDirectory: Sendable {
  let directory: Directory

  init(_ directory: consuming Directory) {
    self.directory = directory
  }
}
