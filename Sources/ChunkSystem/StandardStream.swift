internal import Glibc

/// Standard output and standard error, without buffers and without locks: one write is one call where the reader keeps up.
package struct StandardStream: Sendable {
  private let number: CInt

  package static let output = StandardStream(number: 1)
  package static let error = StandardStream(number: 2)

  /// Writes all bytes, waiting for a slow reader.
  ///
  /// - Throws: ``Errno/brokenPipe`` when nobody reads any more and the signal of that name is ignored.
  package func write(_ bytes: Span<UInt8>) throws(Errno) {
    try FileSystem().calls.write(bytes, to: number)
  }

  /// Writes the text as it is. What comes from outside has to be made harmless before.
  package func write(_ text: String) throws(Errno) {
    try write(Array(text.utf8).span)
  }

  /// Whether it is a terminal.
  package var isTerminal: Bool { isatty(number) == 1 }

  /// How many characters fit a line of the terminal; `nil` when it is none, or does not say.
  package var columns: Int? { size?.columns }

  /// How many characters fit a line of the terminal, and how many lines; `nil` when it is none, or does not say.
  package var size: (columns: Int, rows: Int)? {
    var size = winsize()
    guard unsafe ioctl(number, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), size.ws_row > 0 ? Int(size.ws_row) : 24)
  }

  /// A descriptor of the stream that can be handed on like that of any other output.
  package func descriptor(through files: FileSystem = FileSystem()) throws(Errno) -> FileDescriptor {
    let copy = try files.calls.make(.open) { fcntl(number, F_DUPFD_CLOEXEC, 3) }
    return FileDescriptor(owning: copy, calls: files.calls)
  }
}
