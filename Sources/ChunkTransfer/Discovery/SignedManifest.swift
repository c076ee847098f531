internal import ChunkCore
internal import ChunkHTTP
internal import ChunkSystem

/// Finds a manifest that has to be signed: reads the signature, then every byte of the manifest, and looks at the
/// manifest only when the signature held.
///
/// Source: `Spec/signature-v1.md`, section 5.
struct SignedManifest {
  let key: VerificationKey
  let url: HTTPURL
  let options: TransferOptions
  let fetch: SmallFetch
  /// For every request.
  let headers: [HeaderField]

  /// How much is asked for at a time.
  private static let pieceLength = 4 << 20
  /// From a server that gives no ranges all comes in one answer, which is in memory as a whole.
  private static let longestAnswer = 64 << 20

  // MARK: From the network

  func read(_ place: HTTPURL) throws(TransferError) -> LocatedManifest {
    let signaturePlace = place.appending(pathSuffix: ".minisig")
    let answer = try get(signaturePlace, limit: ManifestSignature.longestFile + 1)
    guard (200..<300).contains(answer.head.status) else { throw missing("signature", signaturePlace, answer) }
    var content = try SignedContent(answer.bytes, of: signaturePlace.description, key: key)
    let validator = try readAll(place, into: &content)
    return try content.manifest(
      named: names(place.lastPathComponent), name: place.description, place: .url(place, validator: validator),
      options: options)
  }

  /// Reads piece by piece, all of one version.
  private func readAll(_ place: HTTPURL, into content: inout SignedContent) throws(TransferError) -> Validator? {
    var validator: Validator?
    while true {
      let start = content.length
      let answer = try get(
        place, range: start...(start + UInt64(Self.pieceLength) - 1), version: validator, limit: Self.longestAnswer)
      switch answer.head.status {
      case 206:
        try content.take(answer.bytes, from: place.description)
        if answer.isCut || answer.bytes.isEmpty { throw changed(place) }
        if case .one(let range) = answer.head.contentRange, let total = range.total, content.length >= total {
          return answer.head.validator
        }
        validator = answer.head.validator
      case 416 where start > 0:
        // Nothing is left of a manifest whose length was not said.
        return validator
      case 200..<300 where start == 0 && answer.isCut:
        throw TransferError(
          .unreachable, "the manifest \(place) is longer than 64 MiB and its server gives no ranges; use another place."
        )
      case 200..<300 where start == 0:
        try content.take(answer.bytes, from: place.description)
        return answer.head.validator
      case 200..<300:
        throw changed(place)
      default:
        throw missing("manifest", place, answer)
      }
    }
  }

  private func get(
    _ place: HTTPURL, range: ClosedRange<UInt64>? = nil, version: Validator? = nil, limit: Int
  ) throws(TransferError) -> SmallFetch.Answer {
    do throws(SmallFetchError) {
      return try fetch.get(place, range: range, version: version, limit: limit, headers: headers)
    } catch {
      throw TransferError(error)
    }
  }

  private func missing(_ what: String, _ place: HTTPURL, _ answer: SmallFetch.Answer) -> TransferError {
    let status = answer.head.status
    guard [401, 403, 404, 410].contains(status) else {
      return TransferError(.unreachable, "the \(what) \(place) cannot be read: the server answered \(status).")
    }
    return TransferError(
      .notTrusted, "there is no \(what) at \(place), and a public key was given: the server answered \(status).")
  }

  private func changed(_ place: HTTPURL) -> TransferError {
    TransferError(.notTrusted, "the manifest \(place) changed while it was read; try again.", isRetryable: true)
  }

  // MARK: From a file

  func readFile(_ path: String) throws(TransferError) -> LocatedManifest {
    let signaturePath = "\(path).minisig"
    let signature = try local("signature", signaturePath) { () throws(Errno) in
      try FileSystem().read(signaturePath, upTo: ManifestSignature.longestFile + 1)
    }
    var content = try SignedContent(signature, of: signaturePath, key: key)
    let file = try local("manifest", path) { () throws(Errno) in OpenFile(try FileSystem().open(path, .read)) }
    var buffer = [UInt8](repeating: 0, count: Self.pieceLength)
    while true {
      let offset = content.length
      let count = try local("manifest", path) { () throws(Errno) in
        var span = buffer.mutableSpan
        return try file.descriptor.pread(into: &span, at: offset)
      }
      if count == 0 { break }
      try content.take(Array(buffer[..<count]), from: path)
    }
    return try content.manifest(
      named: names(path.split(separator: "/").last.map(String.init)), name: path, place: .file(path), options: options)
  }

  private func local<Result: ~Copyable>(
    _ what: String, _ path: String, _ body: () throws(Errno) -> Result
  ) throws(TransferError) -> Result {
    do throws(Errno) {
      return try body()
    } catch {
      throw TransferError(.notTrusted, "the \(what) \(path) cannot be read: \(error).")
    }
  }

  /// What the signed manifest may be called: after the file that is wanted, or as the user called it.
  private func names(_ given: String?) -> [String] {
    [url.lastPathComponent.map { "\($0).chunks" }, given].compactMap(\.self)
  }
}

/// The bytes of a manifest on their way past the verifier: hashed, and of what they say nothing is looked at.
private struct SignedContent: ~Copyable {
  private let signatureName: String
  private var verifier: SignatureVerifier
  /// The beginning, which header, group roots and metadata are in. Leaf pages behind it are read again, and checked against
  /// the group roots, so that memory does not grow with the file.
  private var beginning: [UInt8] = []
  /// Bytes taken so far.
  private(set) var length: UInt64 = 0

  private static let keptLength = 8 << 20

  init(_ signature: [UInt8], of name: String, key: VerificationKey) throws(TransferError) {
    do throws(SignatureError) {
      verifier = try SignatureVerifier(ManifestSignature(file: signature), key: key)
    } catch {
      throw TransferError(error, signature: name)
    }
    signatureName = name
  }

  mutating func take(_ bytes: [UInt8], from name: String) throws(TransferError) {
    length += UInt64(bytes.count)
    guard length <= ManifestLimits.totalLength else {
      throw TransferError(.notTrusted, "the manifest \(name) is longer than any manifest can be.")
    }
    do throws(SignatureError) {
      try verifier.update(bytes.span)
    } catch {
      throw TransferError(error, signature: signatureName)
    }
    beginning += bytes.prefix(Self.keptLength - beginning.count)
  }

  /// The manifest, once all of it has been taken and only if the signature holds.
  consuming func manifest(
    named names: [String], name: String, place: LocatedManifest.Place, options: TransferOptions
  ) throws(TransferError) -> LocatedManifest {
    let (signatureName, beginning, length) = (signatureName, beginning, length)
    let comment: TrustedComment
    do throws(SignatureError) {
      comment = try verifier.verify(names: names, minimumVersion: options.minimumVersion)
    } catch {
      throw TransferError(error, signature: signatureName)
    }
    let manifest: Manifest
    do throws(ManifestError) {
      manifest = try UnverifiedManifest(prefix: beginning.span).verified(expecting: options.fileID)
    } catch {
      throw TransferError(.notTrusted, "the manifest \(name) is signed, but not valid: \(error.message).")
    }
    guard manifest.totalLength == length else {
      throw TransferError(
        .notTrusted,
        "the manifest \(name) is signed, but not valid: it has \(length) bytes instead of \(manifest.totalLength).")
    }
    do throws(SignatureError) {
      try comment.check(manifest.fileID)
    } catch {
      throw TransferError(error, signature: signatureName)
    }
    if let omission = comment.omission {
      options.onNotice?("the signature \(signatureName) says \(omission), so that could not be compared")
    }
    return LocatedManifest(
      manifest: manifest, prefix: beginning, place: place, trust: options.fileID != nil ? .pinned : .signed)
  }
}

extension TransferError {
  fileprivate init(_ error: SignatureError, signature name: String) {
    self.init(.notTrusted, "the signature \(name) is not accepted: \(error.message).")
  }
}
