/// A program in a real terminal: tmux keeps the screen, and tells what is on it.
package final class TmuxScreen: Sendable {
  private let socket: String
  private let directory: TemporaryDirectory

  package static let isAvailable = Machine.has("tmux")

  /// Starts a program in a terminal of its own.
  ///
  /// - Parameters:
  ///   - program: What runs there. Its standard streams are the terminal.
  ///   - columns: How wide it is.
  ///   - rows: How high it is.
  /// - Throws: What tmux says.
  package init(_ program: Subprocess, columns: Int, rows: Int = 24) async throws {
    directory = try TemporaryDirectory()
    socket = directory.path("tmux")
    let variables = program.environment.sorted { $0.key < $1.key }.compactMap { name, value in
      value.map { "\(name)=\($0)" }
    }
    let removed = program.environment.filter { $0.value == nil }.flatMap { ["-u", $0.key] }
    // What was on the screen stays there after the end of the program.
    let words = ["env"] + removed + variables + [program.executable] + program.arguments
    try await tmux(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "-c", program.directory ?? "/"]
        + ["sh", "-c", "\"$@\"; exec cat", "sh"] + words)
  }

  deinit {
    var kill = Subprocess("tmux", ["-S", socket, "kill-server"])
    kill.output = .discarded
    _ = try? kill.start()
  }

  /// The lines of the screen without the empty ones at its end. With `isColored`, colours are in it as they were written.
  package func lines(isColored: Bool = false) async throws -> [String] {
    let text = try await tmux(["capture-pane", "-p"] + (isColored ? ["-e"] : []))
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The screen as soon as it is as wanted. A terminal tells nobody that it has changed, so it is looked at again and
  /// again; each look takes a process.
  package func lines(isColored: Bool = false, when isWanted: ([String]) -> Bool) async throws -> [String] {
    while true {
      let lines = try await lines(isColored: isColored)
      if isWanted(lines) { return lines }
      try Task.checkCancellation()
    }
  }

  package func resize(columns: Int) async throws {
    try await tmux(["resize-window", "-x", "\(columns)"])
  }

  @discardableResult
  private func tmux(_ arguments: [String]) async throws -> String {
    var program = Subprocess("tmux", ["-u", "-S", socket] + arguments)
    program.environment = ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TMUX": nil]
    let result = try await program.run()
    guard result.status == 0 else { throw TmuxError(text: result.errorText) }
    return result.outputText
  }
}

/// What tmux said.
private struct TmuxError: Error, CustomStringConvertible {
  let text: String
  var description: String { "tmux: \(text)" }
}
