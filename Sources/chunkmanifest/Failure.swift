internal import ChunkCore
internal import ChunkStore
internal import ChunkSystem
internal import CommandSupport

/// What ends a command early: what to tell and which status that is.
struct Failure: Error, Hashable, Sendable {
  let status: ExitStatus
  /// A sentence, fit to be shown.
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: StoreError) {
    let status: ExitStatus =
      switch error.code {
      case .diskFull, .readOnly, .noPermission, .inputOutput: .disk
      case .locked: .locked
      case .changed: .sourceChanged
      default: .failure
      }
    self.init(status, "\(SafeText.escape(error.path)): \(SafeText.escape(error.message))")
  }

  init(_ error: Errno, path: String) {
    self.init(StoreError(error, "cannot read", path: path))
  }

  init(writing path: String, _ error: Errno) {
    self.init(StoreError(error, "cannot write", path: path))
  }

  init(_ error: ManifestError, path: String) {
    self.init(.notTrusted, "\(SafeText.escape(path)): \(SafeText.escape(error.message))")
  }

  /// Standard output is gone, or full.
  static func output(_ error: Errno) -> Failure {
    Failure(writing: "standard output", error)
  }
}

extension Console {
  /// Writes results, in the words of this command's failures.
  func result(_ text: String) throws(Failure) {
    do throws(Errno) { try output(text) } catch { throw .output(error) }
  }
}
