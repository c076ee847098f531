internal import ChunkStore
internal import ChunkSystem
internal import ChunkTransfer

/// Notes what was downloaded. Any task may call it.
final class LockRecorder: Sendable {
  private let path: String
  private let content: Lock<LockFile>

  /// Goes on with what the file says, which need not be there yet; a file that is there and is no lock file is left alone.
  init(_ path: String) throws(TransferError) {
    self.path = path
    // Known before anything is downloaded, not after.
    do throws(StoreError) { _ = try OutputPath(path) } catch { throw TransferError(error) }
    do throws(TransferError) {
      content = Lock(try Self.read(path) ?? LockFile())
    } catch {
      throw TransferError(.invalidRequest, "\(error.message) It is left alone.")
    }
  }

  func record(_ url: String, _ report: TransferReport) throws(TransferError) {
    let file = try LockedFile(url: url, report: report)
    // Written under the lock, so that of two files that are done at the same time the later state is what stays.
    try content.withLock { content throws(TransferError) in
      content.set(file)
      let json = content.json
      do throws(StoreError) {
        try DurableFile.write(to: OutputPath(path)) { sink throws(StoreError) in try sink(json.span) }
      } catch {
        throw TransferError(error)
      }
    }
  }

  /// What a lock file says; nil when there is none.
  static func read(_ path: String) throws(TransferError) -> LockFile? {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem().read(path, upTo: LockFile.longest + 1)
    } catch .noSuchFile {
      return nil
    } catch {
      throw TransferError(.notTrusted, "\(path): cannot be read: \(error).")
    }
    do throws(TransferError) {
      guard bytes.count <= LockFile.longest else { throw TransferError(.notTrusted, "it is too long for a lock file.") }
      return try LockFile(json: bytes)
    } catch {
      throw TransferError(.notTrusted, "\(path): \(error.message)")
    }
  }
}
