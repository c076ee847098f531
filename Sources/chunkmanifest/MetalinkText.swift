internal import ChunkCore

/// A Metalink 4 document (RFC 5854) about one file whose pieces are its chunks.
struct MetalinkText {
  let name: String
  let sha256: SHA256Digest
  let urls: [String]
  let stored: StoredManifest

  /// Hands out the text, a group of chunks at a time: that of a million chunks is never in memory at once.
  func write<Failure: Error>(to sink: (String) throws(Failure) -> Void) throws(Failure) {
    let geometry = stored.manifest.geometry
    try sink(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <metalink xmlns="urn:ietf:params:xml:ns:metalink">
        <file name="\(Self.escaped(name))">
          <size>\(geometry.fileLength)</size>
          <hash type="sha-256">\(sha256.hex)</hash>

      """)
    if geometry.chunkCount > 0 {
      try sink("    <pieces length=\"\(geometry.chunkSize.bytes)\" type=\"sha-256\">\n")
      for group in 0..<geometry.groupCount {
        try sink(stored.ids(ofGroup: group).map { "      <hash>\($0.hex)</hash>\n" }.joined())
      }
      try sink("    </pieces>\n")
    }
    for (number, url) in urls.enumerated() {
      try sink("    <url priority=\"\(number + 1)\">\(Self.escaped(url))</url>\n")
    }
    try sink("  </file>\n</metalink>\n")
  }

  /// Whether a text can stand in XML at all: of the control characters only three can, and two others cannot.
  static func isExpressible(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0xFFFE && $0.value != 0xFFFF }
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
