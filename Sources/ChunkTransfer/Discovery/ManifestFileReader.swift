internal import ChunkSystem

/// Reads parts of a manifest that is a local file.
struct ManifestFileReader {
  let path: String

  /// Reads `count` bytes, or fewer where the file ends.
  func read(at offset: UInt64, upTo count: Int) throws(Errno) -> [UInt8] {
    let file = try FileSystem().open(path, .read)
    let size = try file.status().size
    guard offset < size else { return [] }
    var bytes = [UInt8](repeating: 0, count: min(count, Int(size - offset)))
    var span = bytes.mutableSpan
    let read = try file.pread(into: &span, at: offset)
    bytes.removeLast(bytes.count - read)
    return bytes
  }
}
