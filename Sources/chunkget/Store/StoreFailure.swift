internal import ChunkStore
internal import ChunkTransfer
internal import CommandSupport

/// What ends a command about a store early: what to tell and which status that is.
struct StoreFailure: Error, Hashable, Sendable {
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
      case .damaged: .notTrusted
      case .changed: .sourceChanged
      default: .failure
      }
    self.init(status, SafeText.escape("\(error)"))
  }

  init(_ error: TransferError) {
    self.init(ExitStatus(error.code), SafeText.escape(error.message))
  }

  /// Runs what a store does, in the words of these commands.
  static func wrap<Result>(_ body: () throws(StoreError) -> Result) throws(StoreFailure) -> Result {
    do throws(StoreError) { return try body() } catch { throw StoreFailure(error) }
  }
}
