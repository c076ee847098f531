internal import ChunkStore
internal import ChunkSystem

/// How a file on this machine compares with its manifest, chunk by chunk.
///
///     let check = try await FileCheck(of: "image.iso") { print("wrong:", $0.range) }
///     print(check.isRight)
///
/// Nothing is changed and nothing is fetched: to mend a file, download it to the same path. A plain value.
public struct FileCheck: Sendable, Hashable {
  /// The file ID that the manifest is of.
  public let fileID: FileID
  /// The chunk size that the file ID is of.
  public let chunkSize: ChunkSize
  /// The length the file has.
  public let length: UInt64
  /// The length it is to have.
  public let expectedLength: UInt64
  /// How many chunks are not what the manifest says.
  public let wrongChunkCount: Int

  /// Whether it is the file, byte by byte. One that is longer than it should be is not, although no chunk is wrong.
  public var isRight: Bool { wrongChunkCount == 0 && length == expectedLength }

  /// Hashes a file, and compares what it has with its manifest.
  ///
  /// Reads the file once, on threads of its own for every processor; blocks no thread of the cooperative pool. Takes a few
  /// megabytes of memory, however long the file is. When the calling task is cancelled it ends soon.
  ///
  /// - Parameters:
  ///   - path: A regular file, or a link to one.
  ///   - manifest: The path of its manifest; the file's with `.chunks` appended when nil.
  ///   - id: The file that is wanted. Without it the comparison is worth as much as the place that the manifest is from.
  ///   - onWrongChunk: Gets each chunk that is not what the manifest says, from front to back, one call at a time, on a thread
  ///     of the check; must not block.
  /// - Throws: `TransferError.Code.notTrusted` when the manifest is none, or not of the file with that ID; `invalidRequest` when
  ///   one of the two is not there; `sourceChanged` when someone wrote to the file meanwhile; `disk`; `cancelled`. That the file
  ///   is wrong, or cannot be read in places, is a result and no error.
  public init(
    of path: String, manifest: String? = nil, expecting id: FileID? = nil,
    onWrongChunk: @escaping @Sendable (WrongChunk) -> Void = { _ in }
  ) async throws(TransferError) {
    let progress = HashingProgress()
    let result: Result<FileCheck, TransferError> = await withTaskCancellationHandler {
      do throws(Errno) {
        return try await DedicatedThread.run(name: "check") {
          Result { () throws(TransferError) in
            try FileCheck(
              of: path, against: manifest ?? "\(path).chunks", expecting: id, progress: progress, report: onWrongChunk)
          }
        }
      } catch {
        return .failure(TransferError(noThread: error))
      }
    } onCancel: {
      progress.cancel()
    }
    self = try result.get()
  }

  private init(
    of path: String, against manifest: String, expecting id: FileID?, progress: HashingProgress,
    report: @escaping @Sendable (WrongChunk) -> Void
  ) throws(TransferError) {
    do throws(StoreError) {
      let pages = CheckedPages(
        try StoredManifest(try InputFile(manifest).file, path: manifest, expecting: id), progress: progress)
      let stored = pages.manifest
      let comparison = Result { () throws(StoreError) in
        try FileVerifier().verify(
          path, geometry: stored.geometry, ids: { pages.ids(ofGroup: $0) }, progress: progress
        ) { chunk in
          // What was compared with IDs that could not be read says nothing.
          if pages.failure == nil { report(WrongChunk(chunk)) }
        }
      }
      if let failure = pages.failure { throw failure }
      let verification = try comparison.get()
      fileID = stored.fileID
      chunkSize = stored.geometry.chunkSize
      length = verification.length
      expectedLength = verification.expectedLength
      wrongChunkCount = verification.badChunkCount
    } catch {
      throw Self.meaning(of: error)
    }
  }

  private static func meaning(of error: StoreError) -> TransferError {
    switch error.code {
    case .damaged: TransferError(.notTrusted, error.description)
    case .changed: TransferError(.sourceChanged, error.description, isRetryable: true)
    default: TransferError(error)
    }
  }
}
