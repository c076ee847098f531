internal import ChunkStore
internal import ChunkSystem

/// The bytes of a file on a server, in order, each verified before it is handed out.
///
///     for try await piece in try VerifiedBytes(of: "https://example.org/image.iso") { … }
///
/// They come in parallel and are put in order in memory, of which `TransferOptions.memoryBudget` is the bound: whoever takes
/// his time makes the servers wait. Nothing is written to the disk, so a stream that broke off begins anew.
///
/// Can be gone through once. It begins with the first iterator, and ends when that is let go of, for example by `break`.
/// `Sendable`; holds no threads or descriptors before.
public final class VerifiedBytes: AsyncSequence, Sendable {
  /// Some bytes that follow one another: at least one, at most 64 KiB.
  public typealias Element = [UInt8]
  /// Why the bytes do not go on.
  public typealias Failure = TransferError

  private let download: Download
  private let handover: PieceHandover

  /// Prepares a stream; does no I/O.
  ///
  /// - Parameters:
  ///   - url: http or https; a fragment is dropped.
  ///   - options: What to do otherwise than by default. There must be a manifest, and a digest of the whole cannot be checked
  ///     before the bytes are out: pin the file with its ID.
  /// - Throws: `TransferError.Code.invalidRequest` when a URL is not usable, or no manifest is wanted.
  public init(of url: String, options: TransferOptions = TransferOptions()) throws(TransferError) {
    if options.manifest == .none {
      throw TransferError(.invalidRequest, "\(url): without a manifest no byte can be verified before the last one.")
    }
    let handover = PieceHandover()
    self.handover = handover
    download = try Download(
      from: url, into: { _ throws(StoreError) in try handover.openPipe() }, options: options)
  }

  /// What the download is doing; as `Download.progress`.
  public var progress: AsyncStream<TransferProgress> { download.progress }

  /// What was done, and how far the bytes are to be trusted; nil until all have come.
  public var report: TransferReport? { handover.report }

  /// Begins the download.
  public func makeAsyncIterator() -> Iterator {
    guard handover.begin() else { return Iterator(reading: nil) }
    let task = Task { [download, handover] in
      do throws(TransferError) {
        handover.end(.success(try await download.run()))
      } catch {
        handover.end(.failure(error))
      }
    }
    return Iterator(reading: Reading(handover: handover, task: task))
  }

  /// Where someone who goes through the bytes stands. For one task.
  public struct Iterator: AsyncIteratorProtocol {
    /// nil for a second one.
    fileprivate let reading: Reading?

    /// The next bytes; waits for them.
    ///
    /// When the calling task is cancelled the download ends, and nothing more is handed out.
    ///
    /// - Returns: At least one byte; nil when every byte of the file has been handed out.
    /// - Throws: `TransferError`. What was handed out before is right nevertheless.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(TransferError) -> [UInt8]? {
      guard let reading else {
        throw TransferError(.invalidRequest, "the bytes of a stream can be gone through only once.")
      }
      return try await reading.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension VerifiedBytes.Iterator: Sendable {}

/// A download that lasts as long as somebody goes through its bytes.
private final class Reading: Sendable {
  private let handover: PieceHandover
  private let task: Task<Void, Never>

  init(handover: PieceHandover, task: Task<Void, Never>) {
    self.handover = handover
    self.task = task
  }

  deinit { stop() }

  func next(isolation actor: isolated (any Actor)?) async throws(TransferError) -> [UInt8]? {
    let result = await withTaskCancellationHandler {
      await handover.take(isolation: actor)
    } onCancel: {
      stop()
    }
    return try result.get()
  }

  private func stop() {
    handover.abandon()
    task.cancel()
  }
}
