/// `python3 -m http.server`, which knows neither ranges nor tags, on a free port for a test's lifetime.
package final class PythonHTTPServer: Sendable {
  /// Scheme, address and port.
  package let origin: String
  private let process: RunningProcess

  /// Whether the program is there.
  package static var isAvailable: Bool { Machine.has("python3") }

  /// Starts it and waits until it says where it listens.
  package init(directory: String) async throws {
    var program = Subprocess("python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1"])
    program.directory = directory
    process = try program.endingWithTests().start()
    // "Serving HTTP on 127.0.0.1 port 43567 (http://127.0.0.1:43567/) ..."
    guard let line = await process.outputLines.first(where: { $0.contains("port ") }),
      let port = line.split(separator: " ").compactMap({ UInt16($0) }).first
    else { throw ServerDidNotStart(description: "python3 -m http.server") }
    origin = "http://127.0.0.1:\(port)"
  }

  deinit { stop() }

  /// The URL of a path.
  package func url(_ path: String) -> String { origin + path }

  /// One line for each request, as it logs them.
  package var log: ProcessLines { process.errorLines }

  /// Ends it at once.
  package func stop() { process.kill(9) }
}
