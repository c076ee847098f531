internal import ChunkSystem
internal import Glibc

/// A directory of a test's own, removed with everything in it when nobody holds it any more.
package final class TemporaryDirectory: Sendable {
  /// Its absolute path, without a slash at the end.
  package let path: String

  /// Makes one under `TMPDIR`, or under another directory where a certain file system is wanted.
  package init(under parent: String? = nil) throws {
    let parent = parent ?? Environment.value(of: "TMPDIR") ?? "/tmp"
    var template = Array("\(parent)/chunkget-test-XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template)
    guard unsafe made != nil else { throw Errno(errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  /// The path of something in it.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Writes a new file, or over an old one, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = path(name)
    try TestFile.write(bytes, to: path)
    return path
  }

  /// The names in it, sorted.
  package func names() throws -> [String] { try TestFile.names(in: path) }

  /// Removes a tree. Links are removed, not followed; what cannot be removed stays.
  private static func remove(_ path: String) {
    for name in (try? TestFile.names(in: path)) ?? [] {
      let inner = "\(path)/\(name)"
      if unsafe unlink(inner) != 0 { remove(inner) }
    }
    _ = unsafe rmdir(path)
  }
}
