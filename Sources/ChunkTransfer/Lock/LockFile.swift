internal import ChunkHTTP

/// The downloads a lock file names, one a URL.
///
/// Source: `Spec/lock-v1.md`.
package struct LockFile: Sendable, Equatable {
  /// In the order of their URLs.
  package private(set) var downloads: [LockedFile] = []

  static let format = "chunkget lock 1"
  /// Longer files are not read.
  package static let longest = 16 << 20

  package init() {}

  /// Names a download, in the place of what was said of its URL before.
  package mutating func set(_ file: LockedFile) {
    downloads.removeAll { $0.url == file.url }
    downloads.append(file)
    downloads.sort { $0.url.utf8.lexicographicallyPrecedes($1.url.utf8) }
  }

  /// What is said of a URL, which may have what a lock file leaves out.
  package func download(of url: String) throws(TransferError) -> LockedFile? {
    let name = try parseURL(url).description
    return downloads.first { $0.url == name }
  }
}
