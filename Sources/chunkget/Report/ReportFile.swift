internal import ChunkStore
internal import ChunkSystem
internal import ChunkTransfer
internal import CommandSupport

/// The page of `--report` on disk.
struct ReportFile: Sendable {
  private let path: OutputPath

  /// - Throws: Why there can be no such file, which is to be known before anything is downloaded.
  init(_ path: String) throws(TransferError) {
    do throws(StoreError) { self.path = try OutputPath(path) } catch { throw TransferError(error) }
    guard self.path.kind == .file else { throw TransferError(.invalidRequest, "\(path): a report goes to a file.") }
  }

  /// Writes it, whatever became of the download.
  func write(_ page: ReportPage) throws(TransferError) {
    let bytes = Array(page.html.utf8)
    do throws(StoreError) {
      try DurableFile.write(to: path) { sink throws(StoreError) in try sink(bytes.span) }
    } catch {
      throw TransferError(.disk, "the report could not be written: \(error.description)")
    }
  }
}
