internal import ChunkCore
internal import ChunkHTTP

/// The digest the whole file must have, of all who say one: the caller, the URL (`#sha256=…`), a list of checksums.
///
/// Source: `Spec/transfer-v1.md`, section "Trust".
struct WantedDigest {
  let url: HTTPURL
  let options: TransferOptions
  let fetch: SmallFetch

  /// - Returns: nil when nobody says one.
  /// - Throws: when two say different ones, or one who was to say one does not.
  func find() throws(TransferError) -> SHA256Digest? {
    var said: [(who: String, digest: SHA256Digest)] = []
    if let digest = options.sha256 { said.append(("the caller", digest)) }
    if let digest = try inURL() { said.append(("the URL", digest)) }
    if let place = options.checksums { said.append((place, try inList(at: place))) }
    if let first = said.first, let other = said.first(where: { $0.digest != first.digest }) {
      throw TransferError(
        .notTrusted,
        "\(url): \(first.who) wants the SHA-256 \(first.digest), and \(other.who) wants \(other.digest).")
    }
    return said.first?.digest
  }

  private func inURL() throws(TransferError) -> SHA256Digest? {
    guard let fragment = url.fragment, fragment.hasPrefix("sha256=") else { return nil }
    guard let digest = SHA256Digest(hex: String(fragment.dropFirst("sha256=".count))) else {
      throw TransferError(.invalidRequest, "\(url): what follows #sha256= is not a SHA-256 (64 hex digits).")
    }
    return digest
  }

  private func inList(at place: String) throws(TransferError) -> SHA256Digest {
    guard let name = url.lastPathComponent else {
      throw TransferError(.invalidRequest, "\(url) does not end in a name that \(place) could have a digest of.")
    }
    let list = ChecksumList(try read(place))
    let digests = list.digests(of: name)
    guard let digest = digests.first, digests.count == 1 else {
      let problem =
        list.isEmpty
        ? "is no list of SHA-256 digests" : digests.isEmpty ? "does not name \(name)" : "has two digests of \(name)"
      throw TransferError(.notTrusted, "\(place) \(problem).")
    }
    return digest
  }

  private func read(_ place: String) throws(TransferError) -> [UInt8] {
    let document = SmallDocument(what: "list of checksums", longest: ChecksumList.longest)
    guard let url = try remoteURL(place) else { return try document.read(file: place) }
    return try document.read(url, fetch)
  }
}

extension ResponseHead {
  /// What the server says the SHA-256 of the whole is (`Repr-Digest`, RFC 9530).
  var representationDigest: SHA256Digest? {
    for value in headers.values(of: "Repr-Digest") {
      for member in value.split(separator: ",") {
        let text = member.drop { $0 == " " || $0 == "\t" }
        guard text.lowercased().hasPrefix("sha-256=:"), let end = text.dropFirst(9).firstIndex(of: ":"),
          let bytes = Base64.decode(Array(text.dropFirst(9)[..<end].utf8)), bytes.count == 32
        else { continue }
        return SHA256Digest(bytes.span)
      }
    }
    return nil
  }
}
