internal import Glibc

/// The terminal a process is run from, whatever its standard streams are.
package enum Terminal {
  /// Asks for a line that is not shown while it is typed.
  ///
  /// - Parameters:
  ///   - prompt: What stands before the cursor.
  ///   - limit: How many bytes are kept at most; what is longer is cut.
  /// - Returns: The line without its end; `nil` when whoever types ended it with Ctrl-C or Ctrl-D.
  /// - Throws: ``Errno/noSuchAddress`` or another when there is no terminal.
  package static func readHiddenLine(prompt: String, limit: Int) throws(Errno) -> [UInt8]? {
    let terminal = try FileSystem().open("/dev/tty", .readWrite)
    let before = try terminal.settings()
    // With signals off nothing can end the process while the terminal shows nothing: Ctrl-C is a byte that ends the line.
    var hidden = before
    hidden.c_lflag &= ~tcflag_t(ECHO | ISIG)
    unsafe withUnsafeMutableBytes(of: &hidden.c_cc) { unsafe $0[Int(VEOL)] = interruption }
    try terminal.apply(hidden)
    let line = Result { () throws(Errno) in
      try terminal.write(Array(prompt.utf8).span)
      return try terminal.readLine(limit: limit)
    }
    try terminal.apply(before)
    try terminal.write(Array("\n".utf8).span)
    return try line.get()
  }

  /// What Ctrl-C types.
  fileprivate static let interruption: UInt8 = 3
}

extension FileDescriptor {
  fileprivate func settings() throws(Errno) -> termios {
    var settings = termios()
    _ = try calls.make(.terminal) { unsafe tcgetattr(rawValue, &settings) }
    return settings
  }

  /// Drops what was typed before, which was meant for something else.
  fileprivate func apply(_ settings: termios) throws(Errno) {
    var settings = settings
    _ = try calls.make(.terminal) { unsafe tcsetattr(rawValue, TCSAFLUSH, &settings) }
  }

  fileprivate func readLine(limit: Int) throws(Errno) -> [UInt8]? {
    var line: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 256)
    while true {
      var span = buffer.mutableSpan
      let count = try read(into: &span)
      guard count > 0, let last = buffer[..<count].last, last != Terminal.interruption else { return nil }
      let isEnd = last == UInt8(ascii: "\n")
      line += buffer[..<(isEnd ? count - 1 : count)].prefix(limit - line.count)
      if isEnd { return line }
    }
  }
}
