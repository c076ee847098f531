internal import ChunkSystem

/// Text for standard output and standard error. A stream that is gone is nobody's concern: the exit status still tells.
enum Messages {
  static func out(_ text: String) { write(text, to: .output) }

  static func error(_ text: String) { write(text, to: .error) }

  private static func write(_ text: String, to stream: StandardStream) {
    do throws(Errno) { try stream.write(text) } catch { return }
  }
}
