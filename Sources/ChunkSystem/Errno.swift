internal import CLinuxShims
internal import Glibc

/// The number a failed system call left in `errno`; `errno(3)` lists them.
package struct Errno: Error, Hashable, Sendable {
  package let rawValue: CInt

  package init(_ rawValue: CInt) {
    self.rawValue = rawValue
  }

  /// What the last call of this thread left. To be read on the very next line: any other call may change it.
  static var current: Errno { Errno(errno) }
}

extension Errno {
  package static let accessDenied = Errno(EACCES)
  package static let alreadyExists = Errno(EEXIST)
  package static let badFileDescriptor = Errno(EBADF)
  package static let brokenPipe = Errno(EPIPE)
  package static let crossDevice = Errno(EXDEV)
  package static let directoryNotEmpty = Errno(ENOTEMPTY)
  package static let diskQuotaExceeded = Errno(EDQUOT)
  package static let fileTooLarge = Errno(EFBIG)
  package static let interrupted = Errno(EINTR)
  package static let invalidArgument = Errno(EINVAL)
  package static let ioError = Errno(EIO)
  package static let isDirectory = Errno(EISDIR)
  package static let nameTooLong = Errno(ENAMETOOLONG)
  package static let noSpace = Errno(ENOSPC)
  package static let noSuchAddress = Errno(ENXIO)
  package static let noSuchFile = Errno(ENOENT)
  package static let notDirectory = Errno(ENOTDIR)
  package static let notPermitted = Errno(EPERM)
  package static let notSupported = Errno(EOPNOTSUPP)
  package static let readOnlyFileSystem = Errno(EROFS)
  package static let systemCallMissing = Errno(ENOSYS)
  package static let tooManyLinks = Errno(ELOOP)
  package static let tooManyOpenFiles = Errno(EMFILE)
  package static let tooManyOpenFilesInSystem = Errno(ENFILE)
  package static let wouldBlock = Errno(EAGAIN)

  /// Whether the file system, or the kernel, does not have the call: something else has to be done instead.
  package var meansUnsupported: Bool {
    self == .notSupported || self == .systemCallMissing || self == .invalidArgument || self == .crossDevice
  }
}

extension Errno: CustomStringConvertible {
  /// A sentence and the name, as in `No space left on device (ENOSPC)`. In English whatever the locale is.
  package var description: String {
    // Both calls return static text, never freed, which is copied here.
    guard let sentence = unsafe shim_error_description(rawValue), let name = unsafe shim_error_name(rawValue) else {
      return "Error \(rawValue)"
    }
    return unsafe "\(String(cString: sentence)) (\(String(cString: name)))"
  }
}
