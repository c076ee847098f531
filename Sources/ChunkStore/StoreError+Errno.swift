package import ChunkSystem

extension StoreError {
  /// What a failed system call means for the one who waits for the file.
  ///
  /// - Parameters:
  ///   - errno: What the call left.
  ///   - attempt: What was tried, as in `cannot write`.
  ///   - path: The file it is about.
  package init(_ errno: Errno, _ attempt: String, path: String) {
    let (code, advice) = Self.meaning(of: errno)
    self.init(code, "\(attempt): \(errno)\(advice.map { "; \($0)" } ?? "")", path: path)
  }

  private static func meaning(of errno: Errno) -> (Code, advice: String?) {
    switch errno {
    case .noSpace: (.diskFull, "make room and start again: what is there is kept")
    case .diskQuotaExceeded: (.diskFull, "the user's share of the disk is used up")
    case .fileTooLarge: (.diskFull, "the file system, or a limit of the process, does not allow files of this length")
    case .readOnlyFileSystem: (.readOnly, nil)
    case .accessDenied, .notPermitted: (.noPermission, nil)
    case .ioError: (.inputOutput, "the disk may be failing; see the kernel's log")
    case .noSuchFile, .notDirectory: (.missing, nil)
    case .isDirectory, .tooManyLinks, .nameTooLong, .noSuchAddress, .invalidArgument: (.notUsable, nil)
    default: (.other, nil)
    }
  }

  /// Runs system calls and says of one that fails what was tried.
  static func wrap<Result: ~Copyable>(
    _ attempt: @autoclosure () -> String, path: String, _ body: () throws(Errno) -> Result
  ) throws(StoreError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw StoreError(error, attempt(), path: path)
    }
  }
}
