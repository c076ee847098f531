internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// A manifest that was found and verified as far as its root, and where the rest of it can be read.
struct LocatedManifest: Sendable {
  enum Place: Sendable {
    case url(HTTPURL, validator: Validator?)
    case file(String)
    /// In `prefix`, all of it.
    case memory
  }

  let manifest: Manifest
  /// Its first bytes: everything up to the leaf pages, and those of these that fit.
  let prefix: [UInt8]
  let place: Place
  private(set) var trust: TrustLevel
  /// How long its server took to answer; nil where none was asked.
  var answerTime: Duration?

  /// For a sentence about it.
  var name: String {
    switch place {
    case .url(let url, _): url.description
    case .file(let path): path
    case .memory: "that is in memory"
    }
  }

  /// The same manifest, trusted differently.
  func trusted(_ trust: TrustLevel) -> LocatedManifest {
    var copy = self
    copy.trust = trust
    return copy
  }
}

/// Where to look for a manifest, and what to make of what is there.
///
/// Source: `Spec/transfer-v1.md`, section "When is there no manifest".
struct ManifestLocation {
  enum Finding {
    case found(LocatedManifest)
    /// There is none, for this reason; allowed only where none was asked for.
    case absent(String)
  }

  let url: HTTPURL
  let options: TransferOptions
  let fetch: SmallFetch
  /// Asks every cache on the way to fetch it anew.
  var bypassesCaches = false
  /// What may begin with the first bytes.
  var early: EarlyStart?

  func find() throws(TransferError) -> Finding {
    if let pieces = options.pieceManifest { return .found(pieces.located) }
    switch options.manifest {
    case .none:
      guard options.publicKey == nil else {
        throw TransferError(.invalidRequest, "without a manifest there is nothing that the public key could vouch for.")
      }
      return .absent("no manifest was wanted")
    case .discover:
      let place = url.appending(pathSuffix: ".chunks")
      if let signed { return .found(try signed.read(place)) }
      return try read(place, isRequired: options.fileID != nil)
    case .at(let place):
      if let place = try remoteURL(place) {
        if let signed { return .found(try signed.read(place)) }
        return try read(place, isRequired: true)
      }
      if let signed { return .found(try signed.readFile(place)) }
      return .found(try readFile(place))
    }
  }

  /// How a manifest is read that has to be signed; nil when it need not be.
  private var signed: SignedManifest? {
    options.publicKey.map { key in
      SignedManifest(key: key, url: url, options: options, fetch: fetch, headers: headers)
    }
  }

  private var headers: [HeaderField] { bypassesCaches ? Self.noCache : [] }

  // MARK: From the network

  private func read(_ place: HTTPURL, isRequired: Bool) throws(TransferError) -> Finding {
    let early = early
    let first = try get(place, first: 0, count: UnverifiedManifest.firstReadLength) { bytes, answerTime in
      early?.manifestBegins(bytes, after: answerTime)
    }
    if let reason = Self.absence(first) {
      guard !isRequired else {
        throw TransferError(.notTrusted, "there is no manifest at \(place): \(reason).")
      }
      return .absent("\(place): \(reason)")
    }
    guard first.head.status == 200 || first.head.status == 206 else {
      throw TransferError(
        .unreachable,
        "the manifest \(place) cannot be read: the server answered \(first.head.status). "
          + "To go on without verification use --no-manifest.")
    }
    let prefix = try complete(first, from: place)
    let manifest = try parse(prefix, name: place.description)
    let trust: TrustLevel =
      options.fileID != nil ? .pinned : place.scheme == .https && url.scheme == .https ? .origin : .transport
    return .found(
      LocatedManifest(
        manifest: manifest, prefix: prefix, place: .url(place, validator: first.head.validator), trust: trust,
        answerTime: first.answerTime))
  }

  private static func absence(_ answer: SmallFetch.Answer) -> String? {
    switch answer.head.status {
    case 401, 403, 404, 410:
      "the server answered \(answer.head.status)"
    case 200..<300 where !UnverifiedManifest.hasMagic(answer.bytes.span):
      "what is there is no manifest"
    default:
      nil
    }
  }

  /// Reads on until everything in front of the leaf pages is there.
  private func complete(_ first: SmallFetch.Answer, from place: HTTPURL) throws(TransferError) -> [UInt8] {
    var bytes = first.bytes
    // A server may give less than it was asked for.
    if first.head.status == 206, case .one(.range(_, _, let total?)) = first.head.contentRange {
      bytes = try read(on: bytes, to: Int(min(total, UInt64(UnverifiedManifest.firstReadLength))), from: place)
    }
    let needed: Int
    do throws(ManifestError) {
      needed = try UnverifiedManifest.neededPrefixLength(bytes.span)
    } catch {
      throw TransferError(.notTrusted, "the manifest \(place) is not valid: \(error.message)")
    }
    return try read(on: bytes, to: needed, from: place)
  }

  private func read(on first: [UInt8], to needed: Int, from place: HTTPURL) throws(TransferError) -> [UInt8] {
    var bytes = first
    while needed > bytes.count {
      let rest = try get(place, first: UInt64(bytes.count), count: needed - bytes.count)
      // A server that ignores ranges sends everything again.
      guard rest.head.status == 206, !rest.bytes.isEmpty else { return rest.bytes }
      bytes += rest.bytes
    }
    return bytes
  }

  private func get(
    _ place: HTTPURL, first: UInt64, count: Int, onBeginning: FetchedBody.Beginning? = nil
  ) throws(TransferError) -> SmallFetch.Answer {
    do throws(SmallFetchError) {
      return try fetch.get(
        place, range: first...(first + UInt64(count) - 1), limit: Int(first) + count,
        headers: headers, onBeginning: onBeginning)
    } catch {
      switch error {
      case .cancelled:
        throw TransferError(.cancelled, "cancelled.", isRetryable: true)
      case .failed(let failure):
        throw TransferError(
          .unreachable, "\(failure.message) To go on without verification use --no-manifest.",
          isRetryable: failure.isRetryable)
      }
    }
  }

  private static let noCache = [HeaderField](catching: ("Cache-Control", "no-cache"))

  // MARK: From a file

  private func readFile(_ path: String) throws(TransferError) -> LocatedManifest {
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try FileSystem().read(path, upTo: UnverifiedManifest.longestPrefix)
    } catch {
      throw TransferError(.notTrusted, "the manifest \(path) cannot be read: \(error).")
    }
    return LocatedManifest(
      manifest: try parse(bytes, name: path), prefix: bytes, place: .file(path),
      trust: options.fileID != nil ? .pinned : .localManifest)
  }

  private func parse(_ prefix: [UInt8], name: String) throws(TransferError) -> Manifest {
    do throws(ManifestError) {
      return try UnverifiedManifest(prefix: prefix.span).verified(expecting: options.fileID)
    } catch {
      throw TransferError(.notTrusted, "the manifest \(name) is not valid: \(error.message)")
    }
  }
}

/// The URL that somebody typed where a path may stand too; nil when it is a path.
func remoteURL(_ place: String) throws(TransferError) -> HTTPURL? {
  place.hasPrefix("http://") || place.hasPrefix("https://") ? try parseURL(place) : nil
}

/// A URL that somebody typed, or the reason why it is none.
func parseURL(_ text: String) throws(TransferError) -> HTTPURL {
  do throws(HTTPFailure) {
    return try HTTPURL(text)
  } catch {
    throw TransferError(.invalidRequest, error.message)
  }
}

extension [HeaderField] {
  /// A field that is known to be well formed.
  fileprivate init(catching field: (name: String, value: String)) {
    do throws(HTTPFailure) { self = [try HeaderField(name: field.name, value: field.value)] } catch { self = [] }
  }
}
