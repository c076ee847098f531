internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// A Metalink 4 document: files, where they are to be had, and their digests.
package struct Metalink: Sendable {
  package let files: [MetalinkFile]
  private let scheme: HTTPURL.Scheme?

  /// Longer documents are not read.
  static let longest = 64 << 20

  /// Reads a document that is at hand; as good as a file.
  package init(_ bytes: [UInt8]) throws(TransferError) {
    try self.init(bytes, from: "document", over: nil)
  }

  private init(_ bytes: [UInt8], from place: String, over scheme: HTTPURL.Scheme?) throws(TransferError) {
    let reader = MetalinkReader()
    do throws(XMLProblem) {
      guard bytes.count <= Self.longest else { throw XMLProblem("it is longer than 64 MiB") }
      try XMLDocument(bytes: bytes).read(into: reader)
    } catch {
      throw TransferError(.notTrusted, "the Metalink \(place) cannot be used: \(error.message).")
    }
    guard !reader.files.isEmpty else { throw TransferError(.notTrusted, "the Metalink \(place) describes no file.") }
    files = reader.files
    self.scheme = scheme
  }

  /// Reads a document from a file, or from an http or https URL, on a thread of its own.
  ///
  /// - Parameters:
  ///   - place: A path or a URL.
  ///   - options: How to use the network.
  /// - Returns: What the document says.
  /// - Throws: `TransferError.Code.notTrusted` when what is there is no Metalink or cannot be read.
  package static func load(_ place: String, options: TransferOptions) async throws(TransferError) -> Metalink {
    let cancellation = Cancellation()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { (done: CheckedContinuation<Result<Metalink, TransferError>, Never>) in
        do throws(Errno) {
          _ = try DedicatedThread(name: "metalink") {
            done.resume(returning: Result { () throws(TransferError) in try read(place, options, cancellation) })
          }
        } catch {
          done.resume(returning: .failure(TransferError(noThread: error)))
        }
      }
    } onCancel: {
      cancellation.cancel()
    }
    return try result.get()
  }

  private static func read(
    _ place: String, _ options: TransferOptions, _ cancellation: Cancellation
  ) throws(TransferError) -> Metalink {
    let document = SmallDocument(what: "Metalink", longest: longest)
    guard let url = try remoteURL(place) else {
      return try Metalink(try document.read(file: place), from: place, over: nil)
    }
    let network = try Network(origin: url, options: options, cancellation: cancellation)
    defer { network.shutdown() }
    return try Metalink(try document.read(url, network.smallFetch), from: url.description, over: url.scheme)
  }

  // MARK: Downloads

  /// How a file of the document is to be downloaded.
  ///
  /// - Parameters:
  ///   - file: One of ``files``.
  ///   - options: What else is wanted of the download.
  /// - Returns: The best URL, and options with the others as mirrors, the digest of the whole, and a manifest of the pieces
  ///   where they are chunks and nothing else was said about the manifest.
  /// - Throws: `TransferError.Code.notTrusted` when the document contradicts itself or the options, or has no usable URL.
  package func download(
    of file: MetalinkFile, _ options: TransferOptions
  ) throws(TransferError) -> (url: String, options: TransferOptions) {
    let urls = file.urls(ofDocumentOver: scheme)
    guard let url = urls.first else {
      throw TransferError(.notTrusted, "the Metalink has no http or https URL for \(file.name) that may be used.")
    }
    if let wanted = options.sha256, let said = file.sha256, wanted != said {
      throw TransferError(.notTrusted, "the Metalink says that \(file.name) has the SHA-256 \(said), not \(wanted).")
    }
    var options = options
    options.mirrors += urls.dropFirst().prefix(ManifestLimits.sources - 1)
    options.sha256 = options.sha256 ?? file.sha256
    if options.manifest == .discover, options.fileID == nil, options.publicKey == nil {
      options.pieceManifest = try PieceManifest(file, trust: trust)
    }
    return (url, options)
  }

  /// The document is as good as where it came from.
  private var trust: TrustLevel {
    switch scheme {
    case nil: .localManifest
    case .https: .origin
    case .http: .transport
    }
  }
}
