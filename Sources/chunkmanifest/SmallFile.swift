internal import ChunkSystem
internal import CommandSupport

/// A file that is read whole.
struct SmallFile {
  let bytes: [UInt8]

  /// Fails for what cannot be read and for what is longer than `limit`.
  init(_ path: String, limit: Int) throws(Failure) {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
    do throws(Errno) {
      let file = try FileSystem().open(path, .read)
      // A pipe gives it piece by piece.
      while bytes.count <= limit {
        var span = buffer.mutableSpan
        let count = try file.read(into: &span)
        if count == 0 { break }
        bytes += buffer[..<count]
      }
    } catch {
      throw Failure(error, path: path)
    }
    guard bytes.count <= limit else { throw Failure(.failure, "\(SafeText.escape(path)): is too long") }
    self.bytes = bytes
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Without its end.
  var firstLine: [UInt8] {
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
  }
}
