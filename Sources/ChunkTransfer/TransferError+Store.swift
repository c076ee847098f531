package import ChunkStore
internal import ChunkSystem

extension TransferError {
  /// What the disk did, as the end of a transfer.
  package init(_ error: StoreError) {
    let code: Code =
      switch error.code {
      case .locked: .locked
      case .notUsable, .missing: .invalidRequest
      case .cancelled: .cancelled
      default: .disk
      }
    self.init(code, error.description, isRetryable: error.code == .locked || error.code == .cancelled)
  }

  /// The system has no thread left for the transfer.
  init(noThread error: Errno) {
    self.init(.disk, "no thread could be started: \(error). Close something, and run the same command again.")
  }
}
