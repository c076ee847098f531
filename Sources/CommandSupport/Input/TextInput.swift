internal import ChunkSystem

/// A text that a command is told to read: a list, a configuration.
package enum TextInput {
  /// The lines of a file, a FIFO or, for `-`, of standard input, without their ends (`\n` or `\r\n`).
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: Bytes it may have at most.
  /// - Returns: nil when there is no such file.
  /// - Throws: What is wrong with it, its name in front.
  package static func lines(of path: String, limit: Int) throws(UsageError) -> [Substring]? {
    let name = path == "-" ? "standard input" : SafeText.escape(path)
    let bytes: [UInt8]
    do throws(Errno) {
      bytes = try read(path == "-" ? "/dev/stdin" : path, upTo: limit + 1)
    } catch .noSuchFile {
      return nil
    } catch {
      throw UsageError("\(name): cannot be read: \(error)")
    }
    guard bytes.count <= limit else { throw UsageError("\(name): is longer than \(ByteSize(bytes: UInt64(limit)))") }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw UsageError("\(name): is not UTF-8") }
    return text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
  }

  private static func read(_ path: String, upTo limit: Int) throws(Errno) -> [UInt8] {
    let file = try FileSystem().open(path, .read)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while bytes.count < limit {
      var span = buffer.mutableSpan
      let count = try file.read(into: &span)
      if count == 0 { break }
      bytes += buffer[..<min(count, limit - bytes.count)]
    }
    return bytes
  }
}
