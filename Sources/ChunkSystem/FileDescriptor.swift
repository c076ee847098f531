internal import Glibc

/// An open file, which closes when the value goes.
///
/// It has one owner and cannot be closed twice: a number closed twice may by then be another file. Threads share one as
/// the property of a class, ``OpenFile`` where there is no better one; every method can be called from any thread.
package struct FileDescriptor: ~Copyable, Sendable {
  private let number: DescriptorNumber
  let calls: SystemCalls

  package var rawValue: CInt { number.rawValue }

  /// Takes the descriptor over.
  init(owning rawValue: CInt, calls: SystemCalls) {
    number = DescriptorNumber(rawValue: rawValue)
    self.calls = calls
  }

  /// The same file, opened once more for reading, whatever its name is by now.
  ///
  /// - Throws: ``Errno/noSuchFile`` where `/proc` is not mounted.
  package func openedAgain() throws(Errno) -> FileDescriptor {
    try calls.openAgain(rawValue)
  }

  /// Closes the file and reports what is late to be reported, for example by a network file system.
  ///
  /// It is closed in any case, so that there is nothing to try again.
  package consuming func close() throws(Errno) {
    let calls = calls
    let error = number.close()
    // A call that was injected to fail fails after the fact; and an interrupted close has closed.
    _ = try calls.make(.close) { CInt(0) }
    if let error, error != .interrupted { throw error }
  }

  /// Hands the number over to code that closes it itself.
  package consuming func release() -> CInt { number.release() }

  /// A second descriptor of the same open file: offset and locks are shared.
  package func duplicate() throws(Errno) -> FileDescriptor {
    FileDescriptor(owning: try calls.make(.open) { fcntl(rawValue, F_DUPFD_CLOEXEC, 3) }, calls: calls)
  }
}

/// A descriptor that several threads share; it closes when the last of them lets go.
package final class OpenFile: Sendable {
  package let descriptor: FileDescriptor

  package init(_ descriptor: consuming FileDescriptor) {
    self.descriptor = descriptor
  }
}

/// What owns the number, apart from the rest so that closing by hand can replace closing at the end.
///
/// Not private, though nobody else uses it: in release builds other modules destroy a ``FileDescriptor`` in place, and then
/// need to be able to name what is in it.
package struct DescriptorNumber: ~Copyable {
  let rawValue: CInt

  deinit {
    // Whoever needs to know about an error closes by hand.
    _ = Glibc.close(rawValue)
  }

  consuming func release() -> CInt {
    let rawValue = rawValue
    discard self
    return rawValue
  }

  consuming func close() -> Errno? {
    let rawValue = rawValue
    discard self
    let result = Glibc.close(rawValue)
    return result < 0 ? Errno.current : nil
  }
}
