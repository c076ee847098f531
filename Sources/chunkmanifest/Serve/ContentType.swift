/// What a file is said to be, by the end of its name.
enum ContentType {
  /// `application/octet-stream` for what is not known.
  static func of(name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return fallback }
    return table[name[name.index(after: dot)...].lowercased()] ?? fallback
  }

  private static let fallback = "application/octet-stream"

  private static let table = [
    "chunks": "application/vnd.chunkget.manifest", "css": "text/css; charset=utf-8", "gz": "application/gzip",
    "html": "text/html; charset=utf-8", "json": "application/json", "md": "text/markdown; charset=utf-8",
    "meta4": "application/metalink4+xml", "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml",
    "tar": "application/x-tar", "txt": "text/plain; charset=utf-8", "xml": "application/xml",
    "xz": "application/x-xz", "zip": "application/zip", "zst": "application/zstd",
  ]
}
