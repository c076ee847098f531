internal import ChunkCore
internal import ChunkHTTP

/// One file that a Metalink describes: where it is to be had, and what it must be.
package struct MetalinkFile: Sendable {
  /// The SHA-256 of consecutive pieces of one length.
  struct Pieces: Sendable {
    let length: Int
    var digests: [SHA256Digest] = []
  }

  /// What the file is to be called: one path component.
  package let name: String
  /// What the document says of the whole: its length and its SHA-256.
  var length: UInt64?
  var sha256: SHA256Digest?
  var pieces: Pieces?
  /// All URLs of the document, in its order; a smaller priority comes first.
  var places: [(priority: Int, url: String)] = []

  /// - Returns: nil when `name` is more than the name of a file.
  init?(name: String) {
    guard ManifestMetadata.isFileName(name) else { return nil }
    self.name = name
  }

  /// The http and https URLs, best first, each once. Never from https to http.
  func urls(ofDocumentOver scheme: HTTPURL.Scheme?) -> [String] {
    let sorted = places.enumerated().sorted { ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset) }
    var seen: Set<HTTPURL> = []
    return sorted.compactMap { _, place in
      guard let url = try? HTTPURL(place.url), scheme != .https || url.scheme == .https, seen.insert(url).inserted
      else { return nil }
      return place.url
    }
  }
}
