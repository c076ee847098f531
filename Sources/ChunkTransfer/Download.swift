internal import ChunkHTTP
package import ChunkStore
internal import ChunkSystem
internal import Synchronization

/// One file to be downloaded, verified chunk by chunk.
///
///     let download = try Download(from: "https://example.org/image.iso", to: "image.iso")
///     Task { for await progress in download.progress { … } }
///     let report = try await download.run()
///
/// Nothing is lost when it ends early: what was verified lies in `NAME.part`, and running the same download again, in
/// this process or another, fetches only the rest. `Sendable`; holds no threads or descriptors until `run` is called.
public final class Download: Sendable {
  private let url: HTTPURL
  private let mirrors: [HTTPURL]
  private let stores: [SourcePlace]
  private let output: Output
  private let options: TransferOptions
  private let stream: AsyncStream<TransferProgress>
  private let continuation: AsyncStream<TransferProgress>.Continuation

  /// Prepares a download; does no I/O but to look at what the destination is.
  ///
  /// - Parameters:
  ///   - url: http or https; a fragment is dropped.
  ///   - destination: where the file goes. Its directory must exist.
  ///   - options: what to do otherwise than by default.
  /// - Throws: `TransferError.Code.invalidRequest` when `url` or a mirror is no usable URL or the destination can be no
  ///   output.
  public convenience init(
    from url: String, to destination: Destination, options: TransferOptions = TransferOptions()
  ) throws(TransferError) {
    // The URL first: who mistyped it need not hear of the directory.
    let source = try parseURL(url)
    try self.init(from: source, to: try destination.resolve(), options: options)
  }

  /// A download to a file that was looked at by other means, which is how tests let its calls fail.
  package convenience init(
    from url: String, toFile output: OutputPath, options: TransferOptions
  ) throws(TransferError) {
    try self.init(from: try parseURL(url), to: .file(output), options: options)
  }

  /// Fetches what a store lacks of a file, and writes it nowhere else.
  ///
  /// - Parameters:
  ///   - url: As that of any download.
  ///   - options: With the store, and the ID of the file.
  /// - Throws: `TransferError.Code.invalidRequest` when `url` or a mirror is no usable URL.
  package convenience init(intoStoreFrom url: String, options: TransferOptions) throws(TransferError) {
    precondition(options.store != nil && options.fileID != nil, "a store is given, and a file to look for")
    try self.init(from: try parseURL(url), to: .store, options: options)
  }

  /// Writes the file, in order, to what `open` gives when there is something to write.
  convenience init(
    from url: String, into open: @escaping @Sendable (_ isStopped: () -> Bool) throws(StoreError) -> OpenFile,
    options: TransferOptions
  ) throws(TransferError) {
    try self.init(from: try parseURL(url), to: .stream(open), options: options)
  }

  private init(from url: HTTPURL, to output: Output, options: TransferOptions) throws(TransferError) {
    self.url = url
    var mirrors: [HTTPURL] = []
    for mirror in options.mirrors { mirrors.append(try parseURL(mirror)) }
    self.mirrors = mirrors
    var stores: [SourcePlace] = []
    for store in options.chunkStores { stores.append(SourcePlace(url: try parseURL(store), form: .store)) }
    self.stores = stores
    self.output = output
    self.options = options
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Prepares a download to the file at `path`; as `init(from:to:options:)`.
  public convenience init(
    from url: String, to path: String, options: TransferOptions = TransferOptions()
  ) throws(TransferError) {
    try self.init(from: url, to: .path(path), options: options)
  }

  /// The name that a URL gives to its file: the last component of its path, decoded.
  ///
  /// - Throws: `TransferError.Code.invalidRequest` when that is no name a file can safely have: empty, `.` or `..`, with
  ///   a slash or a control byte, or longer than 242 bytes.
  public static func fileName(for url: String) throws(TransferError) -> String {
    guard let name = try parseURL(url).lastPathComponent else {
      throw TransferError(.invalidRequest, "\(url) does not end in a name that a file can have; give one with -o.")
    }
    return name
  }

  /// What the download is doing, as values: at most ten a second, of which a slow consumer sees the newest only. Ends
  /// when the download ends. For one consumer.
  public var progress: AsyncStream<TransferProgress> { stream }

  /// Downloads the file.
  ///
  /// Blocks no thread of the cooperative pool. When the calling task is cancelled the transfer ends soon, keeps what
  /// was verified, and throws `TransferError.Code.cancelled`.
  ///
  /// - Returns: what was fetched, found and discarded, and how far the bytes are to be trusted. When this returns, the
  ///   file is complete, right, durable, and under its name.
  /// - Throws: `TransferError`; the name then holds what it held before.
  public func run() async throws(TransferError) -> TransferReport {
    let cancellation = Cancellation()
    let continuation = continuation
    let transfer = Transfer(
      url: url, mirrors: mirrors, stores: stores, output: output, options: options, cancellation: cancellation,
      observe: { continuation.yield($0) })
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Result<TransferReport, TransferError>, Never>) in
        do throws(Errno) {
          _ = try DedicatedThread(name: "transfer") {
            done.resume(returning: Result { () throws(TransferError) in try transfer.run() })
          }
        } catch {
          done.resume(returning: .failure(TransferError(noThread: error)))
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    continuation.finish()
    return try result.get()
  }
}
